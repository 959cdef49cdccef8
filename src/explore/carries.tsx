/**
 * What a release brings into scheduled ones, where these keep what they have (the conflicts), and where a carried
 * release leads.
 */
import type { FragmentOf } from 'gql.tada'
import type { JSX } from 'preact'
import { firstPage, Link, noView } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql } from './graph.ts'
import { counted, Name, plain, Time } from './parts.tsx'
import { type Numbered, ReleaseNumber } from './release-name.tsx'

/** What is shown of a carry. */
export const Carry = graphql(`
  fragment Carry on ReleaseCarry {
    release { id sequence name }
    scheduledFor
    productCount
    nodeCount
    conflictCount
    conflicts { productId nodeId hierarchyId field key }
  }
`)

/** The names of products, nodes and hierarchies. */
export const Named = graphql(`
  query Named($ids: [ID!]!) {
    nodes(ids: $ids) {
      ... on Product { id name sku }
      ... on HierarchyNode { id name }
      ... on Hierarchy { id name }
    }
  }
`)

type CarryOf = FragmentOf<typeof Carry>
type Conflict = CarryOf['conflicts'][number]

/** The most things that the graph finds at once. */
const IDS_MAX = 100

interface CarriesProps {
  /** The catalog of the releases. */
  readonly catalog: string
  readonly carries: readonly CarryOf[]
  /** Whether it has happened; else it is what would. */
  readonly isDone: boolean
}

/** A list of the scheduled releases that change; null without any. */
export function Carries({ catalog, carries, isDone }: CarriesProps): JSX.Element | null {
  if (carries.length === 0) return null
  return (
    <section class="carries">
      <h3>{isDone ? 'It also changed scheduled releases' : 'Published now, it also changes scheduled releases'}</h3>
      <ul>
        {carries.map((carry) => (
          <li key={carry.scheduledFor}>
            {carry.release ? (
              <Link to={{ ...noView, view: 'releases', catalog, from: 'latest', to: carry.release.id }}>
                Release <ReleaseNumber of={carry.release} />
              </Link>
            ) : (
              'A release'
            )}{' '}
            for <Time at={carry.scheduledFor} />: {counted(carry.productCount, 'product')} and{' '}
            {counted(carry.nodeCount, 'category', 'categories')} change.
            {carry.conflictCount > 0 && <Conflicts of={carry} />}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CarriedIntoProps {
  readonly release: Numbered
  /** The release that has its schedule; null when that is gone. */
  readonly into: (Numbered & { readonly id: string; readonly scheduledFor: string | null }) | null
}

/** That another release has the schedule of this one, and the way there. */
export function CarriedInto({ release, into }: CarriedIntoProps): JSX.Element {
  return (
    <p class="question">
      Release <ReleaseNumber of={release} /> was carried: it is scheduled no more.{' '}
      {into ? (
        <>
          <Link to={{ ...firstPage, from: 'latest', to: into.id }}>
            Release <ReleaseNumber of={into} />
          </Link>{' '}
          has its place
          {into.scheduledFor && (
            <>
              {' '}
              for <Time at={into.scheduledFor} />
            </>
          )}
          , with what was published since.
        </>
      ) : (
        'The release that took its place is gone.'
      )}
    </p>
  )
}

const idOf = ({ productId, nodeId, hierarchyId }: Conflict): string | null => productId ?? nodeId ?? hierarchyId

/** The conflicts, each with the name of what has it. */
function Conflicts({ of: { conflictCount, conflicts } }: { readonly of: CarryOf }): JSX.Element {
  const ids = [...new Set(conflicts.flatMap((conflict) => idOf(conflict) ?? []))].slice(0, IDS_MAX)
  return (
    <details open={conflicts.length <= 5}>
      <summary>
        {counted(conflictCount, 'conflict')}
        {conflicts.length < conflictCount && `, the first ${conflicts.length}`}: what both changed
      </summary>
      <p class="soft">The scheduled release keeps its own; what was removed leaves it too.</p>
      <Ask query={Named} variables={{ ids }}>
        {({ nodes }) => {
          const names = new Map(nodes.flatMap((node) => (node && 'id' in node ? [[node.id, node] as const] : [])))
          return (
            <ul>
              {conflicts.map((conflict) => {
                const id = idOf(conflict)
                const found = id === null ? undefined : names.get(id)
                return (
                  <li key={`${id} ${conflict.field} ${conflict.key}`}>
                    {found ? (
                      <Name of={{ name: found.name, language: null }} />
                    ) : id === null ? (
                      'The catalog'
                    ) : (
                      'Something deleted'
                    )}
                    : {partOf(conflict)}
                  </li>
                )
              })}
            </ul>
          )
        }}
      </Ask>
    </details>
  )
}

/** The words for fields that the graph names otherwise than people would. */
const fields: Readonly<Record<string, string>> = {
  product: 'one of them has it no more',
  node: 'one of them has it no more',
  parent: 'its place in the tree',
}

const partOf = ({ field, key }: Conflict): string => {
  // An id says nothing to a reader.
  const shown = key !== null && !/^[\da-f-]{36}$/.test(key) ? ` (${key})` : ''
  return `${fields[field] ?? plain(field)}${shown}`
}
