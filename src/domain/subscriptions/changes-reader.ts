/** Reads the agreed changes of an exported subscription, and the actions that were taken on it. */
import { uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import {
  CANCELS_SPARE_MAX,
  SUBSCRIPTION_CHANGED_ITEMS_MAX as ITEMS_MAX,
  SUBSCRIPTION_CHANGES_MAX,
  SUBSCRIPTION_REASON_MAX,
} from '../input/limits.ts'
import type { MemberRule } from '../input/member-rule.ts'
import { limitParams } from '../input/violation-params.ts'
import { type AgreedChange, prorationWords } from './agreement.ts'
import { stateActions } from './asked-action.ts'
import { readLineItems, readPlanCopy, toItem } from './copies-reader.ts'
import { readPast, readStored } from './line-instants.ts'
import type { SubscriptionState } from './subscription.ts'

const CHANGES_MAX = SUBSCRIPTION_CHANGES_MAX + CANCELS_SPARE_MAX
const changeTypes = ['change', 'pause', 'cancel', 'resume', 'trial'] as const
const must: MemberRule = { required: true }
const orNull: MemberRule = { required: true, nullable: true }

/** Reads the changes, which stand in the order in which they were asked for. Those with a violation are left out. */
export function readChanges(reader: InputReader, now: number): AgreedChange[] | undefined {
  const changes = reader.list('changes', (list, index) => readChange(list, index, now), { ...must, max: CHANGES_MAX })
  const read = (changes ?? []).filter((change) => change !== undefined)
  if (!changes || read.length < changes.length) return undefined
  const pauses = new Set<string>()
  const ids = new Set<string>()
  let items = 0
  for (const [index, change] of read.entries()) {
    const add = (name: string, code: 'DUPLICATE' | 'INVALID_STRUCTURE', message: string) =>
      reader.addViolations('changes', [{ code, path: [index, name], message }])
    if (ids.has(change.id)) add('id', 'DUPLICATE', 'is the id of an earlier change')
    ids.add(change.id)
    const before = read[index - 1]
    if (before && change.askedAt < before.askedAt)
      add('asked_at', 'INVALID_STRUCTURE', 'is before that of the change before it: list them as they were asked for')
    if (change.at < change.askedAt)
      add('at', 'INVALID_STRUCTURE', 'must not be before the instant at which it was asked for')
    if (change.undoneAt !== null && change.undoneAt < change.askedAt)
      add('undone_at', 'INVALID_STRUCTURE', 'must not be before the instant at which it was asked for')
    if (change.type === 'pause') pauses.add(change.id)
    if (change.type === 'resume' && change.pauseId !== null && !pauses.has(change.pauseId))
      add('pause_id', 'INVALID_STRUCTURE', 'must be the id of an earlier pause')
    if (change.type === 'change') items += change.items.length
  }
  if (items > ITEMS_MAX)
    reader.addViolation(
      'changes',
      'TOO_MANY',
      `must have at most ${ITEMS_MAX} items in all`,
      limitParams(null, ITEMS_MAX),
    )
  return read
}

function readChange(list: InputReader, index: number, now: number): AgreedChange | undefined {
  const entry = list.object(index, must)
  if (!entry) return undefined
  return list.ifValid((): AgreedChange | undefined => {
    const id = entry.text('id', { ...must, format: uuid })?.toLowerCase()
    const type = entry.oneOf('type', changeTypes, must)
    const askedAt = readPast(entry, 'asked_at', now, must)
    const at = readStored(entry, 'at', must)
    const undoneAt = readPast(entry, 'undone_at', now, orNull) ?? null
    const byShopper = entry.boolean('by_shopper', must)
    if (id === undefined || type == null || askedAt == null || at == null) return undefined
    const asked = { id, askedAt, at, undoneAt, ...(byShopper && { byShopper: true as const }) }
    refuseOthers(entry, type)
    if (type === 'trial') return { ...asked, type }
    const proration = entry.oneOf('proration', prorationWords, must) ?? 'none'
    const prorateAt = readPast(entry, 'prorate_at', now, orNull) ?? null
    if (type === 'change') {
      const plan = readPlanCopy(entry, 'plan', orNull) ?? null
      const items = (readLineItems(entry, true, must) ?? []).map(toItem)
      return { ...asked, type, plan, items, proration, prorateAt }
    }
    const settled = { ...asked, proration, ...(prorateAt !== null && { prorateAt }) }
    if (type === 'resume') {
      const pauseId = entry.text('pause_id', { ...orNull, format: uuid })?.toLowerCase() ?? null
      return { ...settled, type, pauseId }
    }
    const atPeriodEnd = entry.boolean('at_period_end', must) ?? false
    const reason = entry.text('reason', { ...orNull, max: SUBSCRIPTION_REASON_MAX }) ?? null
    return { ...settled, type, atPeriodEnd, reason }
  })
}

/** The members of the kinds of changes, beside those of all. */
const own: Readonly<Record<(typeof changeTypes)[number], readonly string[]>> = {
  change: ['proration', 'prorate_at', 'plan', 'items'],
  pause: ['proration', 'prorate_at', 'at_period_end', 'reason'],
  cancel: ['proration', 'prorate_at', 'at_period_end', 'reason'],
  resume: ['proration', 'prorate_at', 'pause_id'],
  trial: [],
}

function refuseOthers(entry: InputReader, type: (typeof changeTypes)[number]): void {
  for (const name of new Set(Object.values(own).flat()))
    if (!own[type].includes(name) && entry.raw(name, { nullable: true }) !== undefined)
      entry.addViolation(name, 'INVALID_STRUCTURE', `is not for the type ${type}`)
}

/** Reads the actions, the first one first. */
export function readStates(reader: InputReader, now: number): SubscriptionState[] | undefined {
  const states = reader.list(
    'states',
    (list, index): SubscriptionState | undefined => {
      const entry = list.object(index, must)
      const id = entry?.text('id', { ...must, format: uuid })?.toLowerCase()
      const action = entry?.oneOf('action', stateActions, must)
      const createdAt = entry && readPast(entry, 'created_at', now, must)
      return id !== undefined && action != null && createdAt != null ? { id, action, createdAt } : undefined
    },
    must,
  )
  return states?.filter((state) => state !== undefined)
}
