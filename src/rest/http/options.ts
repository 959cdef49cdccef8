/** Query parameters of a route's own: what they may be, and the check of those that a request has. */
import type { Violation, ViolationCode } from '../../domain/input/errors.ts'
import { FREE_NAME_MAX } from '../../domain/input/limits.ts'
import { codePoints, isStorable } from '../../domain/input/text.ts'

/** The parameters by name: their allowed values, null for any name, and what they say. */
export type OptionParameters = Readonly<
  Record<string, { readonly words: readonly string[] | null; readonly description: string }>
>

/** What is wrong with single parameters of a request, and a way to add what is wrong with several of them. */
export interface OptionViolations {
  readonly violations: Violation[]
  readonly refuse: (name: string, code: ViolationCode, message: string) => void
}

/** Checks the parameters of a request; a name has 1 to FREE_NAME_MAX code points. */
export function optionViolations(parameters: ReadonlyMap<string, string>, allowed: OptionParameters): OptionViolations {
  const violations: Violation[] = []
  const refuse: OptionViolations['refuse'] = (name, code, message) => {
    violations.push({ code, path: [name], message })
  }
  const names = Object.keys(allowed).join(', ')
  for (const [name, value] of parameters) {
    const parameter = Object.hasOwn(allowed, name) ? allowed[name] : undefined
    if (!parameter) refuse(name, 'UNKNOWN_FIELD', `must not be given; there are ${names}`)
    else if (parameter.words) {
      if (!parameter.words.includes(value)) refuse(name, 'INVALID_VALUE', `must be one of ${parameter.words.join(' ')}`)
    } else if (!isStorable(value)) refuse(name, 'INVALID_TEXT', 'must not hold U+0000 or a lone surrogate')
    else if (value === '') refuse(name, 'TOO_SHORT', 'must be at least 1 character')
    else if (codePoints(value) > FREE_NAME_MAX) refuse(name, 'TOO_LONG', `must be at most ${FREE_NAME_MAX} characters`)
  }
  return { violations, refuse }
}
