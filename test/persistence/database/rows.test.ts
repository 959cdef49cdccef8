import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../../src/config/project-root.ts'
import { membersOf } from '../../../src/persistence/database/columns.ts'
import type { Table } from '../../../src/persistence/database/table.ts'

type AnyTable = Table<Record<string, unknown>, unknown>

const folder = join(projectRoot, 'src/persistence')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const texts = files
  .map((file) => [file.slice(0, -'.ts'.length), readFileSync(join(folder, file), 'utf8')] as const)
  .filter(([, text]) => text.includes('toRow') || text.includes('recordTable('))
const modules: Record<string, unknown>[] = await Promise.all(
  texts.map(([file]) => import(`../../../src/persistence/${file}.ts`)),
)
const tables = modules.flatMap(Object.values).filter((one): one is AnyTable => typeof one?.toRow === 'function')

/** A value of each type that a column can have. */
const values: Readonly<Record<string, unknown>> = {
  DateTime: new Date(0),
  Json: {},
  Boolean: false,
  Int: 1,
  BigInt: 1n,
  Float: 1,
}
const models = new Map(
  readFileSync(join(projectRoot, 'prisma/schema.prisma'), 'utf8')
    .split(/^model /m)
    .map((text) => [/^\w+/.exec(text)?.[0].toLowerCase() ?? '', text]),
)

/** Columns that publishing alone writes. */
const ofPublishing = ['firstPublishedAt', 'priceHistoryFrom', 'releaseSequence', 'wordsReleaseId']
const written = (model: AnyTable['model']): string[] =>
  membersOf(model).filter((member) => model !== 'catalog' || !ofPublishing.includes(member))

/** A row of a table in which each column has a value. */
function fullRow({ model }: AnyTable): Record<string, unknown> {
  const text = models.get(model.toLowerCase()) ?? ''
  return Object.fromEntries(
    membersOf(model).map((member) => {
      const [, type = '', isList] = new RegExp(`^\\s+${member}\\s+(\\w+)(\\[\\])?`, 'm').exec(text) ?? []
      return [member, isList ? [] : (values[type] ?? 'x')]
    }),
  )
}

describe('a record that is written', () => {
  it('every table of records is tested here', () => {
    expect([...new Set(tables.map(({ model }) => model))].sort()).toEqual([
      ...[
        'catalog',
        'catalogNode',
        'catalogRule',
        'label',
        'offering',
        'plan',
        'priceBook',
        'priceModifier',
        'product',
        'subscription',
      ],
      ...['subscriptionProduct', 'webhook'],
    ])
  })

  it.each(tables.map((table) => [table.model, table] as const))(
    '%s: a record that is written fills each column of the schema, those that may be null too',
    (model, table) => {
      const row = fullRow(table)
      const given = Object.entries(table.toRow(table.fromRow?.(row) ?? row)).filter(([, value]) => value !== undefined)
      expect(given.map(([member]) => member).sort()).toEqual(written(model).sort())
    },
  )
})
