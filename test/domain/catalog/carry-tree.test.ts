import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeTree } from '../../../src/domain/catalog/carry-tree.ts'
import type { ReleaseNode } from '../../../src/domain/catalog/release.ts'
import { slugsOf } from '../../../src/domain/language/language-slug.ts'
import { merge } from '../../support/carry-oracle.ts'
import { runs } from '../../support/effort.ts'

/** A node of a random tree; `parent` is the number of a node above it. */
interface Drawn {
  readonly parent: number
  readonly name: string
  readonly slug: string
  readonly german: string | null
  readonly label: string | null
  readonly updatedAt: number
  readonly isThere: boolean
}

const drawn = fc.record({
  parent: fc.nat({ max: 7 }),
  name: fc.constantFrom('a', 'b', 'c'),
  slug: fc.constantFrom('x', 'y', 'z', 'w'),
  german: fc.constantFrom(null, null, 'x', 'y', 'v'),
  label: fc.constantFrom(null, 'l', 'm'),
  updatedAt: fc.nat({ max: 3 }),
  isThere: fc.boolean(),
})

/** A tree that holds: the order says which nodes may lie above others, and equal siblings are left out. */
function treeOf(nodes: readonly Drawn[], order: readonly number[]): Map<string, ReleaseNode> {
  const tree = new Map<string, ReleaseNode>()
  for (const at of order) {
    const { parent, name, slug, german, label, updatedAt, isThere } = nodes[at] as Drawn
    const id = `node-${at}`
    const parentId = at === 0 ? null : `node-${parent}`
    const above = parentId === null ? undefined : tree.get(parentId)
    const locales = german === null ? null : { de: { slug: german } }
    const slugs = slugsOf({ slug, locales })
    const isEqual = [...tree.values()].some(
      (one) => one.parentId === parentId && (one.name === name || slugsOf(one).some((own) => slugs.includes(own))),
    )
    if (at !== 0 && (!isThere || !above || isEqual)) continue
    const rest = {
      description: null,
      sortOrder: null,
      seoTitle: null,
      seoDescription: null,
      locales,
      createdAt: 0,
    }
    tree.set(id, { id, parentId, hierarchyId: 'node-0', name, slug, label, updatedAt, ...rest })
  }
  return tree
}

/** Changes of some nodes of a tree, so that most stay. */
const edited = (nodes: readonly Drawn[]) =>
  fc
    .array(fc.tuple(fc.nat({ max: 7 }), drawn), { maxLength: 4 })
    .map((edits) => nodes.map((node, at) => edits.find(([place]) => place === at)?.[1] ?? node))

const order = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7], { minLength: 7 }).map((rest) => [0, ...rest])

const trees = fc
  .array(drawn, { minLength: 8, maxLength: 8 })
  .chain((nodes) => fc.tuple(fc.constant(nodes), edited(nodes), edited(nodes), order, order, order))
  .map(([former, latest, scheduled, ...orders]) =>
    [former, latest, scheduled].map((nodes, at) => treeOf(nodes, orders[at] as number[])),
  )

const stored = (nodes: ReadonlyMap<string, ReleaseNode>) => ({
  products: new Map(),
  hierarchyIds: ['node-0'],
  curated: new Map(),
  nodes: new Map(
    [...nodes].map(([id, { parentId, hierarchyId, sortOrder, updatedAt, createdAt: _, ...node }]) => [
      id,
      { ...node, parent_id: parentId, hierarchy_id: hierarchyId, sort_order: sortOrder, updated_at: updatedAt },
    ]),
  ),
})

describe('mergeTree', () => {
  it('release.carried-tree-holds: random trees merge as by brute force, and what comes of it has every parent, no cycle and no equal siblings', () => {
    fc.assert(
      fc.property(trees, (three) => {
        const [former, latest, scheduled] = three as [
          Map<string, ReleaseNode>,
          Map<string, ReleaseNode>,
          Map<string, ReleaseNode>,
        ]
        const content = (nodes: ReadonlyMap<string, ReleaseNode>) => ({ hierarchyIds: ['node-0'], nodes })
        const merged = mergeTree({ former: content(former), latest: content(latest), scheduled: content(scheduled) })
        const expected = merge(stored(former), stored(latest), stored(scheduled))
        expect(Object.fromEntries(stored(merged.nodes).nodes)).toEqual(Object.fromEntries(expected.content.nodes))
        const told = merged.conflicts.map(({ nodeId, field, key }) => `${nodeId} ${field} ${key}`)
        expect(told.sort()).toEqual(expected.conflicts)
        for (const node of merged.nodes.values()) {
          const { id, parentId, name } = node
          const path: string[] = []
          for (let at: string | null = id; at !== null; at = merged.nodes.get(at)?.parentId as string | null) {
            expect(path).not.toContain(at)
            path.push(at)
            expect(merged.nodes.has(at)).toBe(true)
          }
          const twins = [...merged.nodes.values()].filter(
            (one) =>
              one.id !== id &&
              one.parentId === parentId &&
              (one.name === name || slugsOf(one).some((slug) => slugsOf(node).includes(slug))),
          )
          expect(twins).toEqual([])
        }
      }),
      runs(20_000),
    )
  })

  it('a node that the publish removed stays where the schedule put another one below it, which is told', () => {
    const node = (id: string, parentId: string | null): [string, ReleaseNode] => [
      id,
      {
        id,
        parentId,
        hierarchyId: 'root',
        name: id,
        slug: id,
        description: null,
        label: null,
        sortOrder: null,
        seoTitle: null,
        seoDescription: null,
        locales: null,
        createdAt: 0,
        updatedAt: 0,
      },
    ]
    const former = new Map([node('root', null), node('gone', 'root')])
    const latest = new Map([node('root', null)])
    const scheduled = new Map([...former, node('new', 'gone')])
    const content = (nodes: ReadonlyMap<string, ReleaseNode>) => ({ hierarchyIds: ['root'], nodes })
    const merged = mergeTree({ former: content(former), latest: content(latest), scheduled: content(scheduled) })
    expect([...merged.nodes.keys()].sort()).toEqual(['gone', 'new', 'root'])
    expect(merged.conflicts).toEqual([{ nodeId: 'gone', field: 'parent', key: null }])
  })
})
