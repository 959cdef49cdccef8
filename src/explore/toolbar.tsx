/** Toolbar: the views, the palette and the queries of the page. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Link, noView, useAddress } from './address.tsx'
import { GraphiqlMenu } from './graphiql-menu.tsx'
import { Palette } from './palette.tsx'
import { useSession } from './session.tsx'
import { viewsOf } from './views.ts'

/** The bar with the views. */
export function Toolbar(): JSX.Element {
  const { address } = useAddress()
  const { role } = useSession()
  const place = useRef<HTMLElement>(null)
  // On a phone the views are a strip that scrolls: the one that is shown is in sight.
  useLayoutEffect(() => {
    const { current: strip } = place
    const shown = strip?.querySelector<HTMLElement>('[aria-current]')
    if (strip && shown)
      strip.scrollLeft = shown.offsetLeft - strip.offsetLeft - (strip.clientWidth - shown.offsetWidth) / 2
  }, [address.view, role])
  return (
    <header>
      <SkipLink />
      <a class="home" href="/">
        commerce-graph
      </a>
      <nav ref={place} aria-label="Views">
        {Object.entries(viewsOf(role)).map(([view, label]) => (
          <Link key={view} to={{ ...noView, view }} current={(address.view ?? '') === view}>
            {label}
          </Link>
        ))}
      </nav>
      <Palette />
      <GraphiqlMenu />
    </header>
  )
}

/** Leads a keyboard past the header, the categories and the filters: to the products of a list, else to the view. */
function SkipLink(): JSX.Element {
  const skip = (): void =>
    (document.querySelector<HTMLElement>('.products') ?? document.querySelector<HTMLElement>('main h1'))?.focus()
  return (
    <button type="button" class="skip" onClick={skip}>
      Skip to the content
    </button>
  )
}
