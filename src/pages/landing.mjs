// The start page in the browser: the shop as a shopper sees it through the graph, and buttons that copy code.
const shop = document.getElementById('shop')

const text = (tag, content, name = '') =>
  Object.assign(document.createElement(tag), { textContent: content, className: name })
const instant = (at) =>
  new Date(at).toLocaleString([], {
    ...{ weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
  })

/** Categories of the first level that the page shows, since a shop may have hundreds. */
const SHOWN = 4

const shopQuery = `{
  storefront {
    latestRelease {
      products(groupVariants: true) { totalCount }
      menu(depth: 2) { level node { name slug } }
    }
  }
}`

/** The first products of each of `count` categories, whose slugs are the variables `s0`, `s1` and so on. */
const productsQuery = (count) => {
  const all = [...Array(count).keys()]
  const nodes = all.map(
    (at) => `c${at}: node(by: { path: [$s${at}] }) { products(first: 4, groupVariants: true) { ...P } }`,
  )
  return `query Products(${all.map((at) => `$s${at}: String!`)}) { storefront { latestRelease { ${nodes.join(' ')} } } }
    fragment P on CatalogProductConnection {
      nodes {
        name slug mainImage { url }
        price { amount { formatted } originalAmount { formatted } sale { name } changesAt }
        priceRange { min { amount formatted } max { amount } }
      }
    }`
}

/** A link to the same in /explore, as a shopper sees it. */
const link = (members, name = '') =>
  Object.assign(text('a', name), { href: `/explore?${new URLSearchParams({ ...members, role: 'shopper' })}` })

/** What a product costs: from the lowest price of its variants, or its price, the one before a sale struck out. */
function cost({ price, priceRange }) {
  if (priceRange && priceRange.min.amount !== priceRange.max.amount) return [`from ${priceRange.min.formatted}`]
  if (!price) return ['no price']
  const before = price.originalAmount ? [' ', text('s', price.originalAmount.formatted)] : []
  // Isolated, so that the direction of its text turns no amount around.
  return [text('b', price.amount.formatted), ...before, ...(price.sale ? [' ', text('bdi', price.sale.name)] : [])]
}

/** A product's card, which leads to the product. */
function card(product) {
  const place = link({ product: product.slug })
  const { url } = product.mainImage ?? {}
  // The name stands below, so the picture needs none.
  if (url) place.append(Object.assign(new Image(320, 320), { src: url, alt: '', loading: 'lazy' }))
  const costs = document.createElement('span')
  costs.append(...cost(product))
  place.append(text('span', product.name, 'name'), costs)
  const entry = document.createElement('li')
  entry.append(place)
  return entry
}

/** A category of the menu: its name, the categories in it, and its first products. */
function category({ name, slug }, below, products) {
  const part = document.createElement('section')
  const title = document.createElement('h3')
  title.append(link({ path: slug }, name))
  const places = text('p', '', 'places')
  places.append(...below.flatMap((node) => [link({ path: `${slug}/${node.slug}` }, node.name), ' ']))
  const list = text('ul', '', 'cards')
  list.append(...products.map(card))
  part.append(title, places, list)
  return part
}

/** The categories of the first level, each with those directly below it. */
function categories(menu) {
  const found = []
  for (const { level, node } of menu) {
    if (level === 1) found.push({ node, below: [] })
    else found.at(-1)?.below.push(node)
  }
  return found.slice(0, SHOWN)
}

function show({ totalCount }, parts, products) {
  const next = products.flatMap((some) => some.flatMap(({ price }) => price?.changesAt ?? [])).sort()[0]
  const change = next
    ? `The next of the prices below changes on ${instant(next)}.`
    : 'None of the prices below is scheduled to change.'
  shop.replaceChildren(
    text('h2', 'The shop'),
    text('p', `${totalCount.toLocaleString()} products. ${change}`),
    ...parts.map(({ node, below }, at) => category(node, below, products[at])),
  )
}

/** The latest release that a query has; null when nothing is published. */
async function ask(query, variables = {}) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${shop.dataset.token}` }
  const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
  const { data } = await response.json()
  if (!data) throw new Error('The graph refused the query.')
  return data.storefront?.latestRelease ?? null
}

async function load() {
  const release = await ask(shopQuery)
  if (!release) return shop.replaceChildren(text('h2', 'The shop'), text('p', 'Nothing is published yet.'))
  const parts = categories(release.menu)
  const slugs = Object.fromEntries(parts.map(({ node }, at) => [`s${at}`, node.slug]))
  const found = parts.length > 0 ? await ask(productsQuery(parts.length), slugs) : {}
  show(
    release.products,
    parts,
    Object.values(found ?? {}).map((node) => node?.products.nodes ?? []),
  )
}

for (const block of document.querySelectorAll('pre')) {
  const button = text('button', 'Copy', 'copy')
  button.type = 'button'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
    setTimeout(() => Object.assign(button, { textContent: 'Copy' }), 2_000)
  })
  // Without a clipboard, as on an address without TLS, a click on the block selects it.
  if (navigator.clipboard) block.before(button)
}

if (shop?.dataset.token)
  load().catch(() => shop.replaceChildren(text('p', 'The shop could not be read; reload the page to try again.')))
