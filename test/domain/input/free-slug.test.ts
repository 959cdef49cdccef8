import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freeSlugs } from '../../../src/domain/input/free-slug.ts'
import { FREE_NAME_MAX } from '../../../src/domain/input/limits.ts'

/** The free slugs among records that have `taken`, and how often these were asked for. */
async function free(made: readonly string[], taken: readonly string[], given: readonly string[] = []) {
  const all = new Set(taken)
  let calls = 0
  const slugs = await freeSlugs(made, given, async (keys) => {
    calls++
    return new Set(keys.filter((key) => all.has(key)))
  })
  return { slugs, calls }
}

/** As many records with one name as were made one after another. */
function numbered(slug: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => (index === 0 ? slug : `${slug}-${index + 1}`))
}

describe('freeSlugs', () => {
  it('slug.made-ones-differ: a free slug stays, with one look at the others', async () => {
    expect(await free(['chay-250', 'kofe'], ['chay'])).toEqual({ slugs: ['chay-250', 'kofe'], calls: 1 })
  })

  it.each([1, 2, 14, 15, 16, 17, 31, 32, 33, 100, 1_000, 65_536, 100_001])(
    'slug.made-ones-differ: after %i records of one name comes the next number, with few looks',
    async (count) => {
      const { slugs, calls } = await free(['tea'], numbered('tea', count))
      expect(slugs).toEqual([`tea-${count + 1}`])
      expect(calls).toBeLessThanOrEqual(7)
    },
  )

  it('slug.made-ones-differ: equal slugs of one batch get numbers one after another, and no slug twice', async () => {
    expect((await free(['tea', 'tea', 'cup', 'tea'], ['cup'])).slugs).toEqual(['tea', 'tea-2', 'cup-2', 'tea-3'])
    expect((await free(['tea', 'tea', 'tea-2'], [])).slugs).toEqual(['tea', 'tea-3', 'tea-2'])
  })

  it('slug.made-ones-differ: what others are given at the same time is taken', async () => {
    expect((await free(['tea'], ['tea-3'], ['tea', 'tea-2'])).slugs).toEqual(['tea-4'])
  })

  it('slug.made-ones-differ: the number is within the length limit, and no two hyphens stand before it', async () => {
    const long = `${'a'.repeat(FREE_NAME_MAX - 2)}-b`
    expect((await free([long], [long])).slugs).toEqual([`${'a'.repeat(FREE_NAME_MAX - 2)}-2`])
  })

  it('slug.made-ones-differ: whatever is taken, each slug is free, differs from the others and follows a taken one', async () => {
    const name = fc.constantFrom('a', 'b', 'a-2')
    const taken = fc.array(fc.tuple(name, fc.integer({ min: 1, max: 40 })), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(name, { maxLength: 8 }), taken, async (made, others) => {
        const all = others.map(([slug, number]) => (number === 1 ? slug : `${slug}-${number}`))
        const { slugs } = await free(made, all)
        const used = new Set(all)
        expect(slugs.some((slug) => used.has(slug))).toBe(false)
        expect(new Set(slugs).size).toBe(made.length)
        for (const [index, slug] of slugs.entries()) {
          const base = made[index] as string
          const number = slug === base ? 1 : Number(slug.slice(base.length + 1))
          const before = number === 2 ? base : `${base}-${number - 1}`
          expect(number === 1 || used.has(before) || slugs.includes(before)).toBe(true)
        }
      }),
    )
  })
})
