/** The menu of the shop: two levels, in the shop's order. */
import { el } from './dom.ts'
import { ask, graphql } from './graph.ts'

const Menu = graphql(`
  query Menu {
    storefront {
      latestRelease {
        menu(depth: 2) {
          level
          parentIndex
          node {
            name
            slug
          }
        }
      }
    }
  }
`)

/** Fills `nav`; each link leads to the path of slugs from the hierarchy down. */
export async function showMenu(nav: HTMLElement): Promise<void> {
  const entries = (await ask(Menu, {})).storefront?.latestRelease?.menu ?? []
  const pathTo = (index: number): string => {
    const entry = entries[index]
    if (!entry) return ''
    return `${entry.parentIndex === null ? '' : `${pathTo(entry.parentIndex)}/`}${encodeURIComponent(entry.node.slug)}`
  }
  const links = entries.map(({ level, node }, index) =>
    el('a', { className: `level-${level}`, href: `#/category/${pathTo(index)}` }, node.name),
  )
  nav.replaceChildren(...links)
}

/** Marks the link of the page that is open. */
export function markOpen(nav: HTMLElement): void {
  for (const link of nav.querySelectorAll('a')) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}
