/** What is asked of a subscription's state: to pause, cancel or resume it. */
import { SUBSCRIPTION_REASON_MAX } from '../input/limits.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { newRecord, readRecordType } from '../input/record.ts'
import { type Proration, prorationWords } from './agreement.ts'
import { type AskedTime, readAskedTime } from './asked-time.ts'
import { readAhead } from './first-terms.ts'

/** The actions that change the state of a subscription. */
export const stateActions = ['cancel', 'pause', 'resume'] as const
/** An action on a subscription. */
export type StateAction = (typeof stateActions)[number]

/** What is asked for; null by default. */
export interface AskedAction {
  readonly action: StateAction
  /** Null: the end of the period, and now for a resume. */
  readonly at: AskedTime | null
  /** When a pause ends by itself; null for never. */
  readonly resumeAt: number | null
  /** Null: none, and by time for a resume. */
  readonly proration: Proration | null
  readonly reason: string | null
  /** The instant of a preview whose amounts are kept. */
  readonly prorateAt: number | null
}

/** An action as it is by default, and as REST has it. */
export function plainAction(action: StateAction): AskedAction {
  return { action, at: null, resumeAt: null, proration: null, reason: null, prorateAt: null }
}

/** The time and the proration of an action, those by default filled in (subscription.proration-by-default). */
export function defaultsOf({ action, at, proration }: AskedAction): { time: AskedTime; proration: Proration } {
  const isResume = action === 'resume'
  return { time: at ?? (isResume ? 'now' : 'period_end'), proration: proration ?? (isResume ? 'by_time' : 'none') }
}

/** Whether an action has another proration than by default, which is for administrators. */
export function asksForProration(asked: AskedAction): boolean {
  return defaultsOf(asked).proration !== defaultsOf(plainAction(asked.action)).proration
}

/** Reads `data` of a state: `{ type: 'subscription_state', attributes: { action } }` (http.paths-and-aliases). */
export function readStateAction(data: unknown, now: number): ReadResult<AskedAction> {
  return readInput(
    data,
    (reader) => {
      readRecordType(reader, 'subscription_state')
      const attributes = reader.object('attributes', { required: true })
      const action = attributes?.oneOf('action', stateActions, { required: true })
      if (!attributes || !action) return undefined
      if (reader.isDocument) return plainAction(action)
      return {
        action,
        at: readAskedTime(attributes, 'at', now) ?? null,
        resumeAt: readAhead(attributes, 'resume_at', now) ?? null,
        proration: attributes.oneOf('proration', prorationWords) ?? null,
        reason: attributes.text('reason', { max: SUBSCRIPTION_REASON_MAX }) ?? null,
        prorateAt: attributes.instant('prorate_at') ?? null,
      }
    },
    newRecord,
  )
}
