import { createRoot } from 'react-dom/client'
import { Provider, useQuery } from 'urql'
import { Category } from './category'
import { client } from './client'
import { graphql } from './gql'
import { Pending } from './parts'
import { Product } from './product'
import { Subscribe } from './subscribe'

const Menu = graphql(`query Menu { storefront { latestRelease { menu(depth: 1) { node { name slug } } } } }`)

function Shop({ address }: { address: string }) {
  const [{ data, error }] = useQuery({ query: Menu })
  if (error || !data) return <Pending error={error} />
  const [, page, ...names] = address.split('/').map(decodeURIComponent)
  return (
    <>
      <nav>
        {data.storefront?.latestRelease?.menu.map(({ node }) => (
          <a key={node.slug} href={`#/category/${node.slug}`}>
            {node.name}
          </a>
        ))}
      </nav>
      <main key={address}>
        {page === 'category' && <Category path={names} />}
        {page === 'product' && <Product slug={names[0]} />}
        {page === 'subscribe' && <Subscribe id={names[0]} />}
      </main>
    </>
  )
}

const root = createRoot(document.body)
function show() {
  root.render(
    <Provider value={client}>
      <Shop address={location.hash} />
    </Provider>,
  )
}
addEventListener('hashchange', show)
show()
