/** Paths of slugs in languages, compared with a plain walk over all names of all nodes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalPathOf, nodeByPath } from '../../../src/domain/catalog/menu.ts'
import { Release, type ReleaseNode } from '../../../src/domain/catalog/release.ts'
import { localizeSlug, slugsOf, withSlugsOf } from '../../../src/domain/language/language-slug.ts'
import { runs } from '../../support/effort.ts'

const anySlug: fc.Arbitrary<string> = fc.constantFrom('tea', 'Tea', 'tee', 'TEE', 'the', 'cup', 'Cup')
const anyNode = fc.record({
  parent: fc.nat({ max: 20 }),
  slug: anySlug,
  de: fc.option(anySlug),
  fr: fc.option(anySlug),
})
type Drawn = typeof anyNode extends fc.Arbitrary<infer T> ? T : never

/** The first two nodes are hierarchies. Siblings of a store from before may have one slug. */
function treeOf(drawn: readonly Drawn[]): Release {
  const nodes = drawn.map(({ parent, slug, de, fr }, at) => {
    const locales = { ...(de && { de: { slug: de } }), ...(fr && { fr: { name: 'F', slug: fr } }) }
    const parentId = at < 2 ? null : `${parent % at}`
    return { id: `${at}`, parentId, slug, locales: Object.keys(locales).length > 0 ? locales : null } as ReleaseNode
  })
  return new Release('r', 'c', 1, 0, { name: '', description: null, locales: null }, ['0', '1'], nodes, new Map())
}

const aboveAndItself = (release: Release, node: ReleaseNode): ReleaseNode[] => {
  const above = node.parentId === null ? undefined : release.nodes.get(node.parentId)
  return above ? [...aboveAndItself(release, above), node] : [node]
}

/** How well a slug names a node: 0 exactly without a language, 1 in one, 2 and 3 in another case; null not at all. */
function rankOf(node: ReleaseNode, wanted: string): number | null {
  const others = slugsOf(node).slice(1)
  const lower = (slug: string) => slug.toLowerCase() === wanted.toLowerCase()
  if (node.slug === wanted) return 0
  if (others.includes(wanted)) return 1
  if (lower(node.slug)) return 2
  return others.some(lower) ? 3 : null
}

/** Of all nodes whose ways the path names, exactly before in any case, the one that is named best from the top on. */
function plainWalk(release: Release, path: readonly string[]): ReleaseNode | undefined {
  const all = [...release.nodes.values()]
  const named = all.flatMap((node) => {
    const way = aboveAndItself(release, node)
    const ranks = way.length === path.length ? way.map((step, at) => rankOf(step, path[at] as string)) : [null]
    return !ranks.includes(null)
      ? [{ node, ranks: ranks as number[], places: way.map((step) => all.indexOf(step)) }]
      : []
  })
  const exact = named.filter(({ ranks }) => ranks.every((rank) => rank < 2))
  const best = (exact.length > 0 ? exact : named).sort((left, right) => {
    for (const at of path.keys()) {
      const difference =
        (left.ranks[at] as number) - (right.ranks[at] as number) ||
        (left.places[at] as number) - (right.places[at] as number)
      if (difference !== 0) return difference
    }
    return 0
  })
  return best[0]?.node
}

describe('node.path-of-slugs', () => {
  it('node.path-of-slugs, slug.exact-first, slug.in-language: random paths lead where a plain walk over all names of all nodes finds them', () => {
    fc.assert(
      fc.property(
        fc.array(anyNode, { minLength: 2, maxLength: 12 }),
        fc.array(anySlug, { minLength: 1, maxLength: 4 }),
        (drawn, path) => {
          const release = treeOf(drawn)
          expect(nodeByPath(release, path)?.id).toBe(plainWalk(release, path)?.id)
        },
      ),
      runs(3_000),
    )
  })

  it('node.sibling-names-differ: where of siblings one alone has a slug, each path of whatever languages leads to its node', () => {
    fc.assert(
      fc.property(fc.array(anyNode, { minLength: 2, maxLength: 12 }), (drawn) => {
        // Slugs of several siblings are made different.
        const release = treeOf(
          drawn.map((one, at) => ({
            ...one,
            slug: `${one.slug}-${at}`,
            de: one.de && `${one.de}.${at}`,
            fr: one.fr && `x${one.fr}${at}`,
          })),
        )
        for (const node of release.nodes.values()) {
          const way = aboveAndItself(release, node)
          if (way.length > 4) continue
          let paths: string[][] = [[]]
          for (const step of way) paths = paths.flatMap((path) => slugsOf(step).map((slug) => [...path, slug]))
          for (const path of paths) {
            expect(nodeByPath(release, path)?.id).toBe(node.id)
            expect(
              nodeByPath(
                release,
                path.map((slug) => slug.toUpperCase()),
              )?.id,
            ).toBe(node.id)
          }
          for (const language of [null, 'de', 'fr', 'de-CH, fr', 'it'])
            expect(nodeByPath(release, canonicalPathOf(release, node, language))?.id).toBe(node.id)
        }
      }),
      runs(300),
    )
  })
})

describe('slug.in-language', () => {
  const locales = { de: { name: 'N', slug: 'tee' }, 'de-CH': { name: 'S' }, fr: { slug: 'the' } }

  it('slug.in-language: a slug is that of the best accepted language that has one, whatever other texts a language has', () => {
    const shown = (accepted: string | null) => localizeSlug({ slug: 'tea', locales }, accepted)
    expect(['de', 'de-CH', 'fr-BE', 'it, fr;q=0.1', 'it', 'fr;q=0', null].map(shown)).toEqual([
      'tee',
      'tee',
      'the',
      'the',
      'tea',
      'tea',
      'tea',
    ])
    expect(localizeSlug({ slug: 'tea', locales: null }, 'de')).toBe('tea')
    expect(localizeSlug({ slug: 'tea', locales: { de: { name: 'Tee' } } }, 'de')).toBe('tea')
  })

  it('release.carried-tree-holds: slugs are taken from other texts without touching names', () => {
    expect(withSlugsOf(locales, { fr: { name: 'F', slug: 'x' }, it: { slug: 'y' } })).toEqual({
      de: { name: 'N' },
      'de-CH': { name: 'S' },
      fr: { slug: 'x' },
      it: { slug: 'y' },
    })
    expect(withSlugsOf({ de: { slug: 'tee' } }, null)).toBeNull()
  })
})
