/**
 * Lines of imports that hold a subscription. One has either copies of its offering and plan, as an export writes it, or
 * names both, as one writes it by hand (import.subscription-by-hand).
 */
import { currencyCode, email, uuid } from '../input/formats.ts'
import type { InputReader } from '../input/input-reader.ts'
import { BILLING_DAY_MAX, CURRENCY_MAX, EXTERNAL_REF_MAX, NAME_MAX, NAME_MIN, TIME_ZONE_MAX } from '../input/limits.ts'
import type { MemberRule } from '../input/member-rule.ts'
import { readInput } from '../input/read-input.ts'
import type { ReadResult } from '../input/reading.ts'
import { type Reference, readRecordHead, readReference } from '../input/record.ts'
import type { AgreedChange } from './agreement.ts'
import { readChanges, readStates } from './changes-reader.ts'
import { type LineItem, readLineItems, readOfferingCopy, readPlanCopy } from './copies-reader.ts'
import { readNear, readPast, readStored } from './line-instants.ts'
import { isTimeZone } from './local-time.ts'
import type { Plan } from './plan.ts'
import {
  type OfferingCopy,
  type PaymentAuthority,
  readPaymentAuthority,
  type SubscriptionState,
} from './subscription.ts'

/** What an exported line has beside the members of all. */
export interface LineCopies {
  readonly offering: OfferingCopy
  readonly plan: Plan
  readonly changes: readonly AgreedChange[]
  readonly states: readonly SubscriptionState[]
  readonly erasedAt: number | null
  readonly createdAt: number
}

/** A line. Undefined: it leaves the member out. Instants are epoch milliseconds. */
export interface SubscriptionLine {
  readonly id: string | undefined
  readonly externalRef: string | null | undefined
  readonly accountId: string | undefined
  readonly currency: string | undefined
  readonly paymentAuthority: PaymentAuthority | undefined
  readonly subscriberName: string | undefined
  readonly subscriberEmail: string | undefined
  readonly suspended: boolean | undefined
  readonly startsAt: number | null | undefined
  readonly timeZone: string | null | undefined
  readonly billingDay: number | null | undefined
  readonly invoicesFrom: number | null | undefined
  readonly onlyOne: boolean | undefined
  readonly items: readonly LineItem[] | null | undefined
  /** Of a line by hand alone. */
  readonly offering: Reference | undefined
  readonly plan: Reference | undefined
  readonly trialEndsAt: number | null | undefined
  /** Null in a line by hand. */
  readonly copies: LineCopies | null
}

const orNull: MemberRule = { nullable: true }
const wholeOnly = ['plan', 'changes', 'states', 'erased_at'] as const
const handOnly = ['offering_id', 'plan_id', 'trial_ends_at'] as const

/** Reads a line; `stored` is the subscription that it updates, if there is one. */
export function readSubscriptionLine(
  data: unknown,
  now: number,
  { isNew, stored }: { readonly isNew: boolean; readonly stored?: unknown },
): ReadResult<SubscriptionLine> {
  return readInput(
    data,
    (reader): SubscriptionLine | undefined => {
      const { id, attributes } = readRecordHead(reader, 'subscription')
      if (!attributes) return undefined
      const isWhole = attributes.raw('offering', orNull) != null
      const must = { required: isNew || isWhole }
      const kept = { required: isWhole, nullable: true }
      const others = isWhole ? handOnly : wholeOnly
      const reason = isWhole ? 'is not for a line with offering, the copy' : 'is for a line with offering, the copy'
      const startsAt = isWhole
        ? readStored(attributes, 'starts_at', { required: true })
        : readNear(attributes, 'starts_at', now)
      for (const name of others)
        if (attributes.raw(name, orNull) != null) attributes.addViolation(name, 'INVALID_STRUCTURE', reason)
      return {
        id,
        externalRef: attributes.text('external_ref', { ...kept, max: EXTERNAL_REF_MAX }),
        accountId: attributes.text('account_id', { ...must, format: uuid })?.toLowerCase(),
        currency: attributes.text('currency', { ...must, max: CURRENCY_MAX, format: currencyCode }) ?? undefined,
        paymentAuthority: readAuthority(attributes, isNew || isWhole),
        subscriberName: attributes.text('name', { ...must, min: NAME_MIN, max: NAME_MAX, isName: true }) ?? undefined,
        subscriberEmail:
          attributes.text('email', { ...must, min: NAME_MIN, max: NAME_MAX, format: email }) ?? undefined,
        suspended: attributes.boolean('suspended', { required: isWhole }) ?? undefined,
        startsAt,
        timeZone: readTimeZone(attributes, kept),
        billingDay: attributes.integer('billing_day', { ...kept, min: 1, max: BILLING_DAY_MAX }),
        invoicesFrom: readInvoicesFrom(attributes, { isWhole, isNew, now }),
        onlyOne: attributes.boolean('only_one', { required: isWhole }) ?? undefined,
        items: readLineItems(attributes, isWhole, isWhole ? { required: true } : orNull),
        offering: isWhole ? undefined : readLink(attributes, 'offering_id', 'subscription_offering', isNew),
        plan: isWhole ? undefined : readLink(attributes, 'plan_id', 'subscription_plan', isNew),
        trialEndsAt: isWhole ? undefined : readTrialEnd(attributes, now, startsAt ?? (isNew ? now : null)),
        copies: isWhole ? readCopies(attributes, now) : null,
      }
    },
    { stored },
  )
}

function readAuthority(attributes: InputReader, isSet: boolean): PaymentAuthority | undefined {
  const isGiven = attributes.raw('payment_authority', orNull) != null
  return isGiven || isSet ? readPaymentAuthority(attributes, true) : undefined
}

function readTimeZone(attributes: InputReader, rule: MemberRule): string | null | undefined {
  const zone = attributes.text('time_zone', { ...rule, max: TIME_ZONE_MAX })
  if (zone == null || isTimeZone(zone)) return zone
  const message = 'must be a time zone of the IANA database, such as Europe/Zurich'
  return attributes.addViolation('time_zone', 'INVALID_VALUE', message)
}

function readInvoicesFrom(
  attributes: InputReader,
  { isWhole, isNew, now }: { readonly isWhole: boolean; readonly isNew: boolean; readonly now: number },
): number | null | undefined {
  if (isWhole) return readStored(attributes, 'invoices_from', { required: true, nullable: true })
  const from = readNear(attributes, 'invoices_from', now)
  if (from == null || !isNew || from >= now) return from
  const message = 'must not be before the import, whose instant it is by default: earlier invoices are not shown'
  return attributes.addViolation('invoices_from', 'OUT_OF_RANGE', message)
}

function readTrialEnd(attributes: InputReader, now: number, startsAt: number | null): number | null | undefined {
  const at = readNear(attributes, 'trial_ends_at', now)
  if (at == null || startsAt === null || at >= startsAt) return at
  return attributes.addViolation('trial_ends_at', 'OUT_OF_RANGE', 'must not be before the start, by default now')
}

function readLink(attributes: InputReader, name: string, type: string, isNew: boolean): Reference | undefined {
  return readReference(attributes, name, [type], { required: isNew }) ?? undefined
}

function readCopies(attributes: InputReader, now: number): LineCopies | null {
  const offering = readOfferingCopy(attributes, 'offering')
  const plan = readPlanCopy(attributes, 'plan', { required: true })
  const changes = readChanges(attributes, now)
  const states = readStates(attributes, now)
  const erasedAt = readPast(attributes, 'erased_at', now, { required: true, nullable: true })
  const createdAt = readPast(attributes, 'created_at', now, { required: true })
  if (!offering || !plan || !changes || !states || createdAt == null) return null
  return { offering, plan, changes, states, erasedAt: erasedAt ?? null, createdAt }
}
