/** Campaign list: sales that are ahead, run or are over; those of one name, book and time are one campaign. */
import type { ResultOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Link, noView } from './address.tsx'
import { Answer } from './ask.tsx'
import { period } from './edit-sales.tsx'
import { graphql, useGraph } from './graph.ts'
import { useList } from './list.ts'
import { counted, longer, More } from './parts.tsx'
import { Table } from './table.tsx'
import { TakeBack } from './take-back.tsx'

const Sales = graphql(`
  query SalesOfStore($filter: SaleListFilter!, $first: Int!, $after: String) {
    sales(filter: $filter, first: $first, after: $after, orderBy: { field: CREATED_AT, direction: DESC }) {
      totalCount
      pageInfo { hasNextPage endCursor }
      nodes {
        id
        name
        schedule { validFrom validTo }
        prices { currency }
        productPrice { id sku priceBook { id name } product { id name slug } }
      }
    }
  }
`)

type Sale = ResultOf<typeof Sales>['sales']['nodes'][number]

/** The sales that are one campaign. */
interface Campaign {
  readonly key: string
  readonly name: string
  readonly book: { readonly id: string; readonly name: string }
  readonly from: string | null
  readonly to: string | null
  readonly currencies: readonly string[]
  readonly prices: readonly { readonly sku: string; readonly name: string | null; readonly slug: string | null }[]
}

/** Sales that are read at first, for each of the lists. */
const STEP = 100

const Books = graphql(`
  query BooksOfCatalogs {
    storefront { id }
    catalogs(first: 100) { nodes { id latestRelease { id } settings { priceBooks { priceBook { id } } } } }
  }
`)

/** The lists; `now` divides them. */
export function CampaignList({ now }: { readonly now: string }): JSX.Element {
  const { data } = useGraph(Books, {})
  const published = data?.catalogs.nodes.filter(({ latestRelease }) => latestRelease) ?? []
  /** The catalog that shows the prices of a book; null for the usual one. */
  const seenBy = (book: string): string | null => {
    const showing = published.filter(({ settings }) =>
      settings?.priceBooks.some(({ priceBook }) => priceBook?.id === book),
    )
    const isUsual = showing.some(({ id }) => id === data?.storefront?.id)
    return isUsual ? null : (showing[0]?.id ?? null)
  }
  return (
    <>
      <Part
        title="Ahead"
        state="ahead"
        filter={{ startsIn: { from: now } }}
        empty="No sale is ahead: a new one begins above."
        seenBy={seenBy}
      />
      <Part title="Running now" state="running" filter={{ runningAt: now }} empty="No sale runs now." seenBy={seenBy} />
      <Part
        title="Over"
        state="over"
        filter={{ endsIn: { before: now } }}
        empty="No sale is over yet."
        seenBy={seenBy}
      />
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly filter: { startsIn?: { from: string }; runningAt?: string; endsIn?: { before: string } }
  readonly state: 'ahead' | 'running' | 'over'
  readonly empty: string
  readonly seenBy: (book: string) => string | null
}

function Part({ title, state, filter, empty, seenBy }: PartProps): JSX.Element {
  const [count, setCount] = useState(STEP)
  const variables = { filter }
  const list = useList({ query: Sales, variables, connectionOf: ({ sales }) => sales, count })
  const campaigns = campaignsOf(list.nodes)
  return (
    <section class="campaigns">
      <h2>{title}</h2>
      <Answer
        query={Sales}
        variables={{ ...variables, first: Math.min(count, 100), after: null }}
        result={list}
        link={`sales, ${state}`}
      >
        {({ sales: { totalCount } }) =>
          campaigns.length === 0 ? (
            <p class="soft">{empty}</p>
          ) : (
            <>
              <Table titles={['Sale', 'When', 'Products', 'Currencies', 'Catalog', 'Action']}>
                {campaigns.map((one) => (
                  <Row key={one.key} of={one} {...{ state, seenBy }} isWhole={list.nodes.length >= totalCount} />
                ))}
              </Table>
              {list.nodes.length < totalCount && (
                <p class="soft">Products are counted among the sales that are read.</p>
              )}
              <More total={totalCount} shown={list.nodes.length} more={() => setCount(longer(count))} />
            </>
          )
        }
      </Answer>
    </section>
  )
}

/** Sales of one name, book and time, in the order of the newest of each. */
function campaignsOf(sales: readonly Sale[]): Campaign[] {
  const groups = new Map<string, Campaign>()
  for (const { name, schedule, prices, productPrice } of sales) {
    if (!productPrice) continue
    const { sku, product, priceBook: book } = productPrice
    const [from, to] = [schedule?.validFrom ?? null, schedule?.validTo ?? null]
    const key = JSON.stringify([book.id, name, from, to])
    const former = groups.get(key)
    const price = { sku, name: product?.name ?? null, slug: product?.slug ?? null }
    groups.set(key, {
      ...{ key, name, book, from, to },
      currencies: [...new Set([...(former?.currencies ?? []), ...prices.map(({ currency }) => currency)])].sort(),
      prices: [...(former?.prices ?? []), price],
    })
  }
  return [...groups.values()]
}

/** Products that a row lists. */
const SHOWN = 100

interface RowProps extends Pick<PartProps, 'state' | 'seenBy'> {
  readonly of: Campaign
  /** Whether all of its sales are read. */
  readonly isWhole: boolean
}

function Row({ of, state, seenBy, isWhole }: RowProps): JSX.Element {
  const { name, book, from, to, currencies, prices } = of
  const only = prices.length === 1 ? prices[0]?.slug : null
  const isRunning = state === 'running'
  const shop = { ...noView, at: isRunning ? null : from, seen: seenBy(book.id) }
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        <div class="soft">in {book.name}</div>
      </th>
      <td>{period(from, to)}</td>
      <td>
        <details>
          <summary>
            {counted(prices.length, 'product')}
            {!isWhole && ' or more'}
          </summary>
          <ul class="campaign-products">
            {prices.slice(0, SHOWN).map(({ sku, name: product, slug }) => (
              <li key={sku}>
                {slug ? <Link to={{ ...shop, product: slug }}>{product ?? sku}</Link> : (product ?? sku)}{' '}
                <span class="soft sku">{sku}</span>
              </li>
            ))}
          </ul>
          {prices.length > SHOWN && <p class="soft">And {counted(prices.length - SHOWN, 'other')}.</p>}
        </details>
      </td>
      <td>{currencies.join(', ')}</td>
      <td>
        <Link to={only ? { ...shop, product: only } : { ...shop, sale: 'true' }}>
          {isRunning ? 'Look at it now' : 'Look at its first day'}
        </Link>
      </td>
      <td>
        <TakeBack priceBookId={book.id} name={name} skus={isWhole ? prices.map(({ sku }) => sku) : null} />
      </td>
    </tr>
  )
}
