/** What is due in a time, of all subscriptions (subscription.due-in-a-window). */
import type { RecordClause } from '../../domain/input/record-filter.ts'
import { slotRanges } from '../../domain/subscriptions/billing-window.ts'
import { lifeOf } from '../../domain/subscriptions/life.ts'
import { type Invoice, invoiceAt } from '../../domain/subscriptions/life-readings.ts'
import type { Subscription } from '../../domain/subscriptions/subscription.ts'
import { cadencesInUse, type DuePlace, placesInRanges } from '../../persistence/subscriptions/billing-places.ts'
import type { Context } from '../../request/context.ts'
import { query } from '../operation.ts'

const DAY_MS = 86_400_000
/** Days that are read one after the other until a page is full; the last step reads all that is left. */
const STEPS_DAYS = [1, 6, 30]
/** Before all ids. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

/** A window of what is due. Instants are epoch milliseconds. */
export interface DueWindow {
  readonly from: number
  /** Its end, which is not in it. */
  readonly to: number
  readonly first: number
  /** The last one of the page before. */
  readonly after: DuePlace | null
  readonly clauses: readonly RecordClause[]
}

/** An invoice with the subscription that it is for. */
export interface DueInvoice {
  readonly invoice: Invoice
  readonly subscription: Subscription
}

/** A page, and whether more follow. */
export interface DuePage {
  readonly invoices: readonly DueInvoice[]
  readonly hasNextPage: boolean
}

/** The invoices due in a window, for administrators. Statements: two, and two for each step that is read. */
export const invoicesDue = query({
  right: 'admin',
  run: async (ctx, { from, to, first, after, clauses }: DueWindow): Promise<DuePage> => {
    const cadences = await cadencesInUse(ctx.database)
    const wanted = first + 1
    const found: DueInvoice[] = []
    let last: DuePlace = after ?? { due: from - 1, subscriptionId: NO_ID }
    let begin = Math.max(from, last.due)
    for (let step = 0; begin < to && found.length < wanted; ) {
      const days = STEPS_DAYS[step] ?? Number.POSITIVE_INFINITY
      const end = Math.min(to, begin + days * DAY_MS)
      const ranges = slotRanges(cadences, begin, end)
      const limit = wanted - found.length
      const places = await placesInRanges(ctx.database, ranges, { after: last, limit, clauses })
      found.push(...(await readInvoices(ctx, places)))
      ctx.work.spend(ranges.length / RANGES_PER_POINT + places.length)
      const reached = places.at(-1)
      if (reached) last = reached
      // Fewer than asked for: nothing is left up to the end of the step.
      if (places.length < limit) {
        begin = end
        step++
      } else begin = last.due
    }
    return { invoices: found.slice(0, first), hasNextPage: found.length > first }
  },
})

/** Ranges that are looked up for a point of work. */
const RANGES_PER_POINT = 20

/** The invoices at the places; none at one where the agreement has none. One statement. */
async function readInvoices({ loaders }: Context, places: readonly DuePlace[]): Promise<DueInvoice[]> {
  const subscriptions = await loaders.subscriptionById.loadMany(places.map(({ subscriptionId }) => subscriptionId))
  return places.flatMap(({ due }, index) => {
    const subscription = subscriptions[index]
    if (subscription instanceof Error) throw subscription
    const invoice = subscription ? invoiceAt(lifeOf(subscription.agreement), due) : null
    return invoice && subscription ? [{ invoice, subscription }] : []
  })
}
