/**
 * Toast: what a form says once it is saved, with a button that takes it back. It covers nothing: on a wide screen it
 * stays in sight below the views, on a narrow one it stands below the button that saved.
 */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

let takeAway = (): void => {}
/** Takes the toast away that is shown. */
export const takeToastAway = (): void => takeAway()

interface ToastProps {
  readonly busy?: boolean
  readonly children: ComponentChildren
}

/** It is shown until the next one; again when it was busy. */
function Toast({ busy = false, children }: ToastProps): JSX.Element | null {
  const [isShown, setShown] = useState(false)
  const place = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const hide = (): void => setShown(false)
    takeAway()
    takeAway = hide
    setShown(true)
  }, [busy])
  useLayoutEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [busy, isShown])
  return isShown ? (
    <p ref={place} class="toast">
      {children}
    </p>
  ) : null
}

/** What a form says that is saved as it is stored. */
export const NothingNew = (): JSX.Element => <Toast>There is nothing to save: all is as it is stored.</Toast>

interface SavedProps {
  readonly busy: boolean
  readonly onUndo: () => void
}

export function Saved({ busy, onUndo }: SavedProps): JSX.Element {
  return (
    <Toast busy={busy}>
      Saved. Shoppers see it once it is published.
      <button type="button" disabled={busy} onClick={onUndo}>
        Undo
      </button>
    </Toast>
  )
}
