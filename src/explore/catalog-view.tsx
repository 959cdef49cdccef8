/** Catalog: the tree beside the products of the chosen node, or one product. */
import type { FragmentOf, ResultOf } from 'gql.tada'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Address, firstPage, Link, noFilters, noList, useAddress } from './address.tsx'
import { Answer } from './ask.tsx'
import { Facets } from './facets.tsx'
import { Fold } from './fold.tsx'
import { graphql, useGraph, useShopper } from './graph.ts'
import { Listing, PAGE, PAGE_MAX, type Products, useListing } from './listing.ts'
import { Here, Menu } from './menu.tsx'
import { Breadcrumbs, counted, Name, PriceTag, Title } from './parts.tsx'
import { Picture } from './picture.tsx'
import { ProductView } from './product-view.tsx'

const Way = graphql(`
  query Way($slug: String!, $currency: CurrencyCode, $locale: String, $channel: String, $tags: [String!], $at: DateTime)
  @inContext(currency: $currency, locale: $locale, channel: $channel, tags: $tags, at: $at) {
    storefront {
      latestRelease {
        product(by: { slug: $slug }) {
          breadCrumbs {
            ancestors { slug }
            node { slug }
          }
        }
      }
    }
  }
`)

/** The path of the category that is open, or of the product's. */
function usePath(): string {
  const { path, product } = useAddress().address
  const { data } = useGraph(Way, { slug: product ?? '', ...useShopper() }, !product || Boolean(path))
  const [crumbs] = (product && data?.storefront?.latestRelease?.product?.breadCrumbs) || []
  return path ?? (crumbs ? [...crumbs.ancestors, crumbs.node].map(({ slug }) => slug).join('/') : '')
}

/** The view of a catalog: the category tree with the products of the chosen node, or one product. */
export function CatalogView(): JSX.Element {
  const { address } = useAddress()
  const path = usePath()
  return (
    <div class="columns">
      <nav class="side" aria-label="Categories">
        <Fold summary="Categories">
          <Link to={noList} current={!address.path && !address.product}>
            All products
          </Link>
          <Here.Provider value={path}>
            <Menu />
          </Here.Provider>
        </Fold>
      </nav>
      <main>
        {address.product ? (
          <ProductView key={address.product} slug={address.product} />
        ) : (
          <ProductList key={address.path} />
        )}
      </main>
    </div>
  )
}

/** How many filters an address has. */
const filtersOf = (address: Address): number => Object.keys(noFilters).filter((name) => name in address).length

function ProductList(): JSX.Element {
  const { address } = useAddress()
  const { variables, result, refusal } = useListing()
  // The filters stay when the list fails, so that they can be changed.
  const last = useRef(result.data)
  last.current = result.data ?? last.current
  const found = last.current?.storefront?.latestRelease
  const products = found?.node?.products ?? found?.products
  const { min, max } = products?.priceRange ?? {}
  return (
    <>
      {(products || (!result.data && !result.error)) && (
        <div class={address.path ? 'place within' : 'place'}>{products && found && <Place release={found} />}</div>
      )}
      {(products || !result.data) && (
        <Fold summary={`Filters (${filtersOf(address)})`}>
          <Facets facets={products?.facets ?? []} lowest={min?.formatted ?? ''} highest={max?.formatted ?? ''} />
        </Fold>
      )}
      {refusal ? (
        <p class="failed">{refusal}</p>
      ) : (
        <Answer query={Listing} variables={variables} result={result} link="products">
          {({ storefront }) => {
            const release = storefront?.latestRelease
            if (!release) return <Title empty>No catalog is published for this shopper.</Title>
            const shown = release.node?.products ?? release.products
            return shown ? <Cards products={shown} /> : <Title empty>There is no such category.</Title>
          }}
        </Answer>
      )}
    </>
  )
}

type Release = NonNullable<NonNullable<ResultOf<typeof Listing>['storefront']>['latestRelease']>

/** Where the list stands: its breadcrumbs, its name and its description. */
function Place({ release: { node } }: { readonly release: Release }): JSX.Element {
  if (!node) return <Title>All products</Title>
  return (
    <>
      <Breadcrumbs places={[...('ancestors' in node ? node.ancestors : []), node]} />
      <Title language={node.language}>{node.name}</Title>
      {node.description && (
        <p class="soft" lang={node.language ?? undefined}>
          {node.description}
        </p>
      )}
    </>
  )
}

function Cards({ products: { totalCount, nodes } }: { readonly products: FragmentOf<typeof Products> }): JSX.Element {
  const isPictured = nodes.some(({ mainImage }) => mainImage?.url)
  return (
    <>
      <Pages total={totalCount} />
      <ul class="products" tabIndex={-1} aria-label="Products">
        {nodes.map(({ slug, sku, mainImage, price, priceRange, ...product }) => (
          <li key={product.id}>
            <Link to={{ product: slug, choice: null }} class="card">
              {mainImage?.url ? <Picture url={mainImage.url} alt="" /> : isPictured && <span class="picture" />}
              <span class="name">
                <Name of={product} />
              </span>
              <span class="soft sku">{sku}</span>
              {priceRange && priceRange.min.amount !== priceRange.max.amount ? (
                <span class="price">
                  <span>from</span> <b>{priceRange.min.formatted}</b>
                </span>
              ) : (
                <PriceTag price={price} />
              )}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The number of products, and links to the pages before and after. */
function Pages({ total }: { readonly total: number }): JSX.Element {
  const { address } = useAddress()
  const page = Number(address.page ?? 1)
  const isNarrowed = filtersOf(address) > 0
  const last = Math.min(Math.ceil(total / PAGE), PAGE_MAX)
  if (page > Math.max(1, last))
    return (
      <p class="empty">
        There is no page {page}. <Link to={firstPage}>First page</Link>
      </p>
    )
  return (
    <p class="pages">
      <span>
        <span role="status">
          {total > 0
            ? counted(total, 'product')
            : isNarrowed
              ? 'No product fits all of these filters.'
              : 'It is empty.'}
        </span>{' '}
        {total === 0 && isNarrowed && <Link to={{ ...noFilters, ...firstPage }}>Clear the filters</Link>}
      </span>
      {last > 1 && (
        <span>
          {page > 1 && (
            <Link key="previous" to={{ page: String(page - 1) }}>
              Previous
            </Link>
          )}{' '}
          Page {page} of {last}{' '}
          {page < last ? (
            <Link key="next" to={{ page: String(page + 1) }}>
              Next
            </Link>
          ) : (
            last * PAGE < total && 'Filters and search show the others.'
          )}
        </span>
      )}
    </p>
  )
}
