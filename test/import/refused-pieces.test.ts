/** Refused objects of a job that wait to be stored: overwritten, forgotten and many. */
import { expect, test } from 'vitest'
import { RefusedPieces } from '../../src/import/refused-pieces.ts'

const textOf = (pieces: readonly Buffer[]) => Buffer.concat(pieces).toString()

test('job.refused-as-a-file: what is behind a written offset is overwritten, and what is stored is forgotten', async () => {
  const refused = new RefusedPieces(10)
  expect(await refused.write('one\n', 10)).toBe(14)
  expect(await refused.write('lost\n', 14)).toBe(19)
  expect(await refused.write('two\n', 14)).toBe(18)
  expect(await refused.write('', 14)).toBe(14)
  expect([refused.waiting, textOf(refused.between(10, 18))]).toEqual([8, 'one\ntwo\n'])
  refused.forgetBefore(12)
  expect([refused.waiting, textOf(refused.between(12, 16))]).toEqual([6, 'e\ntw'])
  expect(() => refused.between(10, 18)).toThrow('neither stored nor here')
  await expect(refused.write('beyond\n', 19)).rejects.toThrow('neither stored nor here')
})

test('job.refused-as-a-file: as many more objects take as much more time', async () => {
  const refused = new RefusedPieces(0)
  const began = performance.now()
  let offset = 0
  for (let count = 0; count < 50_000; count++) {
    offset = await refused.write('refused\n', offset)
    if (refused.waiting !== offset) throw new Error('another length waits')
  }
  expect(performance.now() - began).toBeLessThan(5_000)
})
