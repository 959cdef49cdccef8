/** The page: the part of the address after `#` says what is shown. */
import { el } from './dom.ts'
import { showListing } from './listing.ts'
import { markOpen, showMenu } from './menu.ts'
import { showProduct } from './product.ts'

const [nav, main, search] = [document.querySelector('nav'), document.querySelector('main'), document.querySelector('form')]
if (!nav || !main || !search) throw new Error('The page lacks its parts.')

/** What is shown at the address. */
async function show(target: HTMLElement): Promise<void> {
  const [, kind, ...parts] = location.hash.split('/').map(decodeURIComponent)
  if (kind === 'product') return showProduct(target, parts[0] ?? '')
  if (kind === 'search') return showListing(target, { search: parts[0] ?? '' })
  return showListing(target, { path: kind === 'category' ? parts : ['Coffee'] })
}

async function route(menu: HTMLElement, page: HTMLElement): Promise<void> {
  markOpen(menu)
  // A view of its own for each address: one that comes late does not replace what is shown by then.
  const view = el('div', {})
  page.replaceChildren(view)
  try {
    await show(view)
  } catch (error) {
    view.replaceChildren(el('p', { className: 'error' }, error instanceof Error ? error.message : String(error)))
  }
  page.dataset.shown = location.hash
}

search.onsubmit = (event) => {
  event.preventDefault()
  location.hash = `#/search/${encodeURIComponent(String(new FormData(search).get('text')))}`
}
addEventListener('hashchange', () => route(nav, main))
await showMenu(nav)
await route(nav, main)
