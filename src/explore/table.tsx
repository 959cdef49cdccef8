/** Table: rows below the names of their columns; on a narrow screen cards, with the column's name beside each value. */
import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

interface TableProps {
  /** The names of the columns. */
  readonly titles: readonly string[]
  readonly caption?: string
  readonly class?: string
  /** The rows. */
  readonly children: ComponentChildren
}

export function Table({ titles, caption, children, ...rest }: TableProps): JSX.Element {
  const place = useRef<HTMLTableElement>(null)
  // What the cells are is known once the rows, which may be components, are drawn.
  useLayoutEffect(() => {
    const { tHead, tBodies } = place.current ?? {}
    for (const { cells } of tBodies?.[0]?.rows ?? [])
      for (const [index, cell] of [...cells].entries()) {
        if (cell.colSpan > 1) continue
        cell.dataset.title = titles[index] ?? ''
        tHead?.rows[0]?.cells[index]?.classList.toggle('number', cell.classList.contains('number'))
      }
  })
  return (
    <div class="wide">
      <table ref={place} {...rest}>
        {caption && <caption>{caption}</caption>}
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
