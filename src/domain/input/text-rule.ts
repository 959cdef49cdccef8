/** Text rules: why a text, or a key that a client chose, is refused. */
import type { Violation } from './errors.ts'
import { FORBIDDEN_KEY } from './map-keys.ts'
import type { MapRule, TextRule } from './member-rule.ts'
import type { Reading } from './reading.ts'
import { itsKey, toSentence } from './sentence.ts'
import { codePoints, isStorable, isVisible, nameProblem } from './text.ts'
import { limitParams } from './violation-params.ts'

const UNSTORABLE = 'must not hold U+0000 or a lone surrogate'

type Problem = Omit<Violation, 'path' | 'subject'>

/** The first problem of a text, in the order: whether it can be stored, its length, its format, the rules for names. */
export function textProblem(text: string, rule: TextRule, reading: Reading): Problem | undefined {
  if (!isStorable(text)) return { code: 'INVALID_TEXT', message: UNSTORABLE }
  const { min = 0, max = Number.POSITIVE_INFINITY } = rule
  const length = codePoints(text)
  const code = length < min ? 'TOO_SHORT' : 'TOO_LONG'
  if (length < min || length > max)
    return { code, message: lengthSentence(min, max), params: limitParams(min || null, max) }
  const wrong = rule.format?.(text)
  if (wrong !== undefined) return { code: 'INVALID_FORMAT', message: wrong }
  return rule.isName === 'or blank' && !isVisible(text) ? undefined : badName(text, rule.isName, reading)
}

/** The first problem of a key of a map. */
export function keyProblem(text: string, rule: MapRule, reading: Reading): Problem | undefined {
  if (!isStorable(text)) return { code: 'INVALID_TEXT', ...itsKey(UNSTORABLE) }
  const wrong = rule.key?.(text)
  if (wrong !== undefined) return { code: 'INVALID_FORMAT', ...toSentence(wrong) }
  if (text === FORBIDDEN_KEY) return { code: 'INVALID_VALUE', ...itsKey(`must not be ${FORBIDDEN_KEY}`) }
  const problem = badName(text, rule.isName, reading)
  return problem && { ...problem, ...itsKey(problem.message) }
}

/** A name must be visible, save one that the stored record holds already (text.names-are-visible). */
function badName(text: string, isName: TextRule['isName'], reading: Reading): Problem | undefined {
  const message = isName ? nameProblem(text) : undefined
  return message === undefined || reading.holds(text) ? undefined : { code: 'INVALID_TEXT', message }
}

function lengthSentence(min: number, max: number): string {
  if (min === 0) return `must be at most ${max} characters`
  return max === Number.POSITIVE_INFINITY ? `must be at least ${min} characters` : `must be ${min} to ${max} characters`
}
