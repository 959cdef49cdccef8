/**
 * Chip: a setting with its value, and a panel with its control: below it, and on a narrow screen at the lower edge.
 */
import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'

interface ChipProps {
  readonly label: string
  readonly value: string
  /** Whether it is not as by default. */
  readonly isSet: boolean
  /** Whether a value that is not set needs to be called the default: `none` and `now` do not. */
  readonly hasDefault?: boolean
  /** The control, which is there while the panel is open; `close` gives the focus back to the chip. No hooks. */
  readonly children: (close: () => void) => ComponentChildren
}

/** Pixels between the panel and what is above it. */
const GAP = 6

/** The browser closes the panel by Escape, by a click beside it, and when another one opens. */
export function Chip({ label, value, isSet, hasDefault = false, children }: ChipProps): JSX.Element {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const chip = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (isOpen) panel.current?.querySelector<HTMLElement>('input')?.focus()
  }, [isOpen])
  /** Before the panel is painted, so that it is never seen elsewhere. */
  const place = (): void => {
    if (!chip.current || !panel.current) return
    const { left, bottom } = chip.current.getBoundingClientRect()
    const { style } = panel.current
    style.setProperty('--left', `${left}px`)
    // What says that another time or catalog is shown, and leads back, stays in sight.
    const pinned = [...document.querySelectorAll('.pinned')].map((one) => one.getBoundingClientRect().bottom)
    style.setProperty('--top', `${Math.max(bottom, ...pinned) + scrollY + GAP}px`)
  }
  const close = (): void => {
    panel.current?.hidePopover()
    chip.current?.focus()
  }
  return (
    <>
      <button ref={chip} type="button" class={isSet ? 'chip set' : 'chip'} popovertarget={id}>
        {label}: <b>{value}</b>
        {!isSet && hasDefault && ' (default)'}
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="chip-panel"
        onBeforeToggle={(event: TargetedEvent<HTMLDivElement, ToggleEvent>) => event.newState === 'open' && place()}
        onToggle={(event: TargetedEvent<HTMLDivElement, ToggleEvent>) => setOpen(event.newState === 'open')}
      >
        {isOpen && children(close)}
        {isOpen && (
          <button type="button" class="close" onClick={close}>
            Close
          </button>
        )}
      </div>
    </>
  )
}
