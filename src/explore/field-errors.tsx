/** The errors of an input, each beside its field. */
import type { JSX } from 'preact'
import { plain } from './parts.tsx'

/** An error of a mutation. */
export interface UserError {
  readonly message: string
  readonly path: readonly string[]
}

/** What is wrong with the fields of these names; nothing without an error. */
export function FieldErrors({
  of,
  at,
}: {
  readonly of: readonly UserError[]
  readonly at: readonly string[]
}): JSX.Element | null {
  const errors = of.filter(({ path: [field = ''] }) => at.includes(field))
  if (errors.length === 0) return null
  return (
    <div class="failed" role="alert">
      {errors.map(({ message, path }) => (
        <p key={`${path.join('.')} ${message}`}>
          {plain(path.findLast((segment) => !/^\d*$/.test(segment)) ?? '')}: {message}
        </p>
      ))}
    </div>
  )
}
