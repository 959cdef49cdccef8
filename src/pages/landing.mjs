// The start page in the browser: the shop as a shopper sees it through the graph, and buttons that copy code.
const shop = document.getElementById('shop')

const text = (tag, content, name = '') => Object.assign(document.createElement(tag), { textContent: content, className: name })
const instant = (at) => new Date(at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })

const query = `{
  storefront {
    latestRelease {
      products(first: 6) {
        totalCount
        nodes { name slug price { amount { formatted } originalAmount { formatted } sale { name } changesAt } }
      }
      menu(depth: 2) { level node { name slug } }
    }
  }
}`

/** A link to the same in /explore, as a shopper sees it. */
const link = (name, members) => Object.assign(text('a', name), { href: `/explore?${new URLSearchParams({ ...members, role: 'shopper' })}` })

/** A product's row: its name and price, the price before a sale struck out. */
function row({ name, slug, price }) {
  const line = document.createElement('tr')
  const cell = text('td', price ? price.amount.formatted : 'no price', 'price')
  if (price?.originalAmount) cell.prepend(text('s', price.originalAmount.formatted), ' ')
  // Isolated, so that the direction of its text turns no amount around.
  if (price?.sale) cell.append(' ', text('bdi', price.sale.name))
  const title = document.createElement('td')
  title.append(link(name, { product: slug }))
  line.append(title, cell)
  return line
}

/** The menu as nested lists. */
function tree(lines) {
  const lists = [document.createElement('ul')]
  const path = []
  for (const { level, node } of lines) {
    lists.length = Math.min(lists.length, level)
    if (lists.length < level) {
      const list = document.createElement('ul')
      lists.at(-1).lastElementChild.append(list)
      lists.push(list)
    }
    path.splice(level - 1, path.length, node.slug)
    const entry = document.createElement('li')
    entry.append(link(node.name, { path: path.join('/') }))
    lists.at(-1).append(entry)
  }
  return lists[0]
}

function show({ products, menu }) {
  const next = products.nodes.flatMap(({ price }) => price?.changesAt ?? []).sort()[0]
  const table = document.createElement('table')
  table.append(...products.nodes.map(row))
  const first = products.nodes.length
  const change = next ? `The next of these prices changes on ${instant(next)}.` : 'None of these prices is scheduled to change.'
  shop.replaceChildren(text('h2', 'The shop'), text('p', `${first} of ${products.totalCount} products. ${change}`), table, tree(menu))
}

async function load() {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${shop.dataset.token}` }
  const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) })
  const { data } = await response.json()
  if (!data) throw new Error('The graph refused the query.')
  const release = data.storefront?.latestRelease
  if (release) show(release)
  else shop.replaceChildren(text('h2', 'The shop'), text('p', 'Nothing is published yet.'))
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

if (shop?.dataset.token) load().catch(() => shop.replaceChildren(text('p', 'The shop could not be read; reload the page to try again.')))
