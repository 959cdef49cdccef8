/** Fold: what a narrow screen shows behind a summary, and a wide one at once. */
import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'

const narrow = matchMedia('(max-width: 48rem)')

interface FoldProps {
  readonly summary: string
  readonly children: ComponentChildren
}

/** Its summary is not shown on a wide screen, where it is always open. */
export function Fold({ summary, children }: FoldProps): JSX.Element {
  const [isNarrow, setNarrow] = useState(narrow.matches)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const follow = (): void => setNarrow(narrow.matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  return (
    <details
      class="fold"
      open={isOpen || !isNarrow}
      onToggle={({ currentTarget }) => isNarrow && setOpen(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  )
}
