/** What a form says once it is saved, with a button that takes it back. */
import type { JSX } from 'preact'

/** What a form says that is saved as it is stored. */
export function NothingNew(): JSX.Element {
  return (
    <p role="status" class="toast">
      There is nothing to save: all is as it is stored.
    </p>
  )
}

interface SavedProps {
  readonly busy: boolean
  readonly onUndo: () => void
}

export function Saved({ busy, onUndo }: SavedProps): JSX.Element {
  return (
    <p role="status" class="toast">
      Saved. Shoppers see it once it is published.{' '}
      <button type="button" disabled={busy} onClick={onUndo}>
        Undo
      </button>
    </p>
  )
}
