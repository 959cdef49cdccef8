/** Menu: the tree of hierarchies and nodes; a branch is read when it is opened. */
import { createContext, type JSX } from 'preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { Link, noList, useAddress } from './address.tsx'
import { Ask } from './ask.tsx'
import { graphql, useShopper } from './graph.ts'
import { Name, type Named } from './parts.tsx'

const Branch = graphql(`
  query Branch(
    $path: [String!]!
    $isTop: Boolean!
    $currency: CurrencyCode
    $locale: String
    $channel: String
    $tags: [String!]
    $at: DateTime
  )
  @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        menu(depth: 1) @include(if: $isTop) {
          childCount
          node { id name language slug }
        }
        node(by: { path: $path }) @skip(if: $isTop) {
          menu(depth: 1) {
            childCount
            node { id name language slug }
          }
        }
      }
    }
  }
`)

/** The path of the node that is open, or in which the open product is. */
export const Here = createContext('')

/** The nodes directly below a path, or the hierarchies for an empty path. */
export function Menu({ path = [] }: { readonly path?: readonly string[] }): JSX.Element {
  const isTop = path.length === 0
  return (
    <Ask query={Branch} variables={{ path: [...path], isTop, ...useShopper() }}>
      {({ storefront }) => {
        const entries = (isTop ? storefront?.latestRelease?.menu : storefront?.latestRelease?.node?.menu) ?? []
        return (
          <ul class="menu">
            {entries.map(({ node, childCount }) => (
              <Entry key={node.id} node={node} path={[...path, node.slug]} childCount={childCount} />
            ))}
          </ul>
        )
      }}
    </Ask>
  )
}

interface EntryProps {
  readonly node: Named
  readonly path: readonly string[]
  readonly childCount: number
}

function Entry({ node, path, childCount }: EntryProps): JSX.Element {
  const { address } = useAddress()
  const place = path.join('/')
  const here = useContext(Here)
  const isOnTheWay = `${here}/`.startsWith(`${place}/`)
  const [isOpen, setOpen] = useState(isOnTheWay)
  useEffect(() => void (isOnTheWay && setOpen(true)), [isOnTheWay])
  return (
    <li>
      <div class="entry">
        {childCount > 0 ? (
          <button
            type="button"
            class="toggle"
            aria-expanded={isOpen}
            aria-label={`Categories in ${node.name}`}
            onClick={() => setOpen(!isOpen)}
          />
        ) : (
          <span class="toggle" />
        )}
        <Link to={{ ...noList, path: place }} current={here === place && (address.product ? 'location' : 'page')}>
          <Name of={node} />
        </Link>
      </div>
      {isOpen && childCount > 0 && <Menu path={path} />}
    </li>
  )
}
