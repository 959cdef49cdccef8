/** Catalog: the tree beside the products of the chosen node, or one product. */
import type { JSX } from 'preact'
import { Link, noList, useAddress } from './address.tsx'
import { Facets } from './facets.tsx'
import { Listing, PAGE, useListingVariables } from './listing.ts'
import { Menu } from './menu.tsx'
import { Ask, Breadcrumbs, PriceTag } from './parts.tsx'
import { ProductView } from './product-view.tsx'

/** Products that the graph skips at most without a cursor. */
const OFFSET_MAX = 10_000

/** The view of a catalog: the category tree with the products of the chosen node, or one product. */
export function CatalogView(): JSX.Element {
  const { address } = useAddress()
  return (
    <div class="columns">
      <nav class="side" aria-label="Categories">
        <Link to={noList} current={!address.path && !address.product}>
          Everything
        </Link>
        <Menu />
      </nav>
      <main>{address.product ? <ProductView key={address.product} slug={address.product} /> : <ProductList key={address.path} />}</main>
    </div>
  )
}

function ProductList(): JSX.Element {
  const variables = useListingVariables()
  return (
    <Ask query={Listing} variables={variables} link>
      {({ storefront }) => {
        const release = storefront?.latestRelease
        if (!release) return <p class="empty">No catalog is published for this shopper.</p>
        const { node } = release
        const products = node?.products ?? release.products
        if (!products) return <p class="empty">There is no such category.</p>
        const places = node ? [...('ancestors' in node ? node.ancestors : []), node] : []
        const { min, max } = products.priceRange ?? {}
        return (
          <>
            <Breadcrumbs places={places} />
            <h1>{node?.name ?? storefront.name}</h1>
            {node?.description && <p class="soft">{node.description}</p>}
            <Facets facets={products.facets} lowest={min?.formatted ?? ''} highest={max?.formatted ?? ''} />
            <Pages total={products.totalCount} />
            <ul class="products">
              {products.nodes.map(({ id, name, slug, sku, price, priceRange }) => (
                <li key={id}>
                  <Link to={{ product: slug }} class="card">
                    <span class="name">{name}</span>
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
      }}
    </Ask>
  )
}

/** The number of products, and links to the pages before and after. */
function Pages({ total }: { readonly total: number }): JSX.Element {
  const { address } = useAddress()
  const page = Number(address.page ?? 1)
  const last = Math.min(Math.ceil(total / PAGE), Math.floor(OFFSET_MAX / PAGE) + 1)
  return (
    <p class="pages">
      <span role="status">{total === 0 ? 'Nothing is like this.' : `${total.toLocaleString()} product${total === 1 ? '' : 's'}`}</span>
      {last > 1 && (
        <span>
          {page > 1 && <Link to={{ page: String(page - 1) }}>Previous</Link>} Page {page} of {last}{' '}
          {page < last ? <Link to={{ page: String(page + 1) }}>Next</Link> : last * PAGE < total && 'Filters and search show the others.'}
        </span>
      )}
    </p>
  )
}
