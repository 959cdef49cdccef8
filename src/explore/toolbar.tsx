/** Toolbar: the views, the palette and the queries of the page. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, noView, useAddress } from './address.tsx'
import { GraphiqlMenu } from './graphiql-menu.tsx'
import { Palette } from './palette.tsx'
import { useSession } from './session.tsx'
import { viewsOf } from './views.ts'

/** The bar with the views; a narrow screen has them behind a button. */
export function Toolbar(): JSX.Element {
  const { address } = useAddress()
  const { role } = useSession()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const close = (next: HTMLElement | null): void => {
    setOpen(false)
    next?.focus()
  }
  // The link that was followed goes with the menu, so that the focus would be lost.
  useEffect(() => {
    if (isOpen) close(document.querySelector<HTMLElement>('main h1') ?? button.current)
  }, [address.view])
  useEffect(() => {
    if (!isOpen) return
    const press = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') close(button.current)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [isOpen])
  return (
    <header>
      <SkipLink />
      <a class="home" href="/">
        commerce-graph
      </a>
      <button
        ref={button}
        type="button"
        class="views-button"
        aria-expanded={isOpen}
        aria-controls="views"
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <nav id="views" class={isOpen ? 'open' : undefined} aria-label="Views">
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
