import { expect, test } from 'vitest'
import { isVisible } from '../../../src/domain/input/text.ts'
import { isVisibleSql } from '../../../src/persistence/database/columns.ts'
import { useDatabase } from '../../support/database.ts'

const database = useDatabase()

test('text.names-are-visible: SQL finds the same characters hidden as this process, wherever it has such', async () => {
  const hidden: number[] = []
  for (let code = 1; code <= 0x10ffff; code++)
    if ((code < 0xd800 || code > 0xdfff) && !isVisible(String.fromCodePoint(code))) hidden.push(code)
  // Those and their neighbours, and every thousandth.
  const near = hidden.flatMap((code) => [code - 1, code, code + 1])
  const far = Array.from({ length: 1_100 }, (_, index) => index * 1_000)
  const tried = [...new Set([...near, ...far])].filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
  const [row] = await database.query<{ codes: number[] }>(
    'test-hidden',
    `SELECT array_agg(code ORDER BY code) AS codes FROM unnest($1::int[]) code WHERE NOT ${isVisibleSql('chr(code)')}`,
    [tried],
  )
  expect(row?.codes).toEqual(hidden)
  expect(hidden).toEqual(expect.arrayContaining([0x20, 0x200b, 0xfeff, 0xe0001]))
})
