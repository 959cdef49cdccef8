import { describe, expect, it } from 'vitest'
import { SearchScores } from '../../../src/domain/catalog/listing-columns.ts'

describe('the scores of a search', () => {
  it('the scores of a search are those of the documents found, and the lowest one for every other document', () => {
    const scores = new SearchScores(Int32Array.of(3, 7, 2_147_483_647), Float32Array.of(1.5, 6, 0))
    expect([3, 7, 2_147_483_647].map((document) => scores.scoreOf(document))).toEqual([1.5, 6, 0])
    expect([0, 4, 8, 2_147_483_646].map((document) => scores.scoreOf(document))).toEqual(
      Array(4).fill(Number.NEGATIVE_INFINITY),
    )
    expect(new SearchScores(new Int32Array(), new Float32Array()).scoreOf(1)).toBe(Number.NEGATIVE_INFINITY)
  })
})
