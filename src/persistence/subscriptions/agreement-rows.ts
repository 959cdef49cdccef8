/**
 * Rows that an agreement decides, for lists, metrics and what is due: spans (domain/subscriptions/spans.ts) and billing
 * places (domain/subscriptions/billing-places.ts). They are written with each agreement.
 *
 * SQL, since Prisma sends a parameter for each value, which takes four times as long.
 */
import type { Agreement } from '../../domain/subscriptions/agreement.ts'
import { placesOf } from '../../domain/subscriptions/billing-places.ts'
import { spansOf } from '../../domain/subscriptions/spans.ts'
import type { Database } from '../database/database.ts'
import type { Transaction } from '../database/transaction.ts'

/** Subscriptions whose rows are derived at once. */
const BATCH = 1_000
/** Milliseconds that a batch may wait and run: a start waits as long as it takes. */
const PATIENCE = { maxWait: 60_000, timeout: 600_000 }
/** The row of store_fact that says that all subscriptions have the rows of this version. */
const DERIVED = 'agreement_rows_derived'

interface Agreed {
  readonly id: string
  readonly currency: string
  readonly agreement: Agreement
}

const insertSpans = `
INSERT INTO subscription_span (subscription_id, from_at, until_at, phase, plan_id, paused, canceled, currency, amount, period_days, period_months)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS s ("subscriptionId" uuid, "fromAt" timestamptz, "untilAt" timestamptz, phase text, "planId" uuid,
  paused boolean, canceled boolean, currency text, amount bigint, "periodDays" int, "periodMonths" int)`

const insertPlaces = `
INSERT INTO subscription_billing (subscription_id, position, cadence, slot, from_ms, until_ms)
SELECT * FROM jsonb_to_recordset($1::jsonb) AS p ("subscriptionId" uuid, position int, cadence text, slot bigint, "from" bigint, until bigint)`

/** Inserts the rows of subscriptions that have none. Two statements. */
export async function insertAgreementRows(tx: Transaction, subscriptions: readonly Agreed[]): Promise<void> {
  const spans = subscriptions.flatMap(({ id, currency, agreement }) =>
    spansOf(agreement).map(({ from, until, ...span }) => ({
      ...span,
      subscriptionId: id,
      currency,
      fromAt: new Date(from),
      untilAt: new Date(until),
    })),
  )
  const places = subscriptions.flatMap(({ id, agreement }) =>
    placesOf(agreement).map((place, index) => ({ ...place, subscriptionId: id, position: index + 1 })),
  )
  await tx.$executeRawUnsafe(insertSpans, JSON.stringify(spans))
  await tx.$executeRawUnsafe(insertPlaces, JSON.stringify(places))
}

/** Replaces the rows of subscriptions. Four statements. */
export async function replaceAgreementRows(tx: Transaction, subscriptions: readonly Agreed[]): Promise<void> {
  const where = { subscriptionId: { in: subscriptions.map(({ id }) => id) } }
  await tx.subscriptionSpan.deleteMany({ where })
  await tx.subscriptionBilling.deleteMany({ where })
  await insertAgreementRows(tx, subscriptions)
}

/**
 * Derives the rows of subscriptions that an older version has written, once. `onProgress` is told how many are done.
 * One statement when all are, else five for each BATCH.
 */
export async function deriveAgreementRows(
  { prisma }: Database,
  onProgress: (done: number) => void = () => {},
): Promise<void> {
  if (await prisma.storeFact.findUnique({ where: { name: DERIVED } })) return
  let done = 0
  for (let after: string | null = null; ; ) {
    const last: string | null = await prisma.$transaction(async (tx) => {
      // Whoever writes one of them meanwhile waits, and replaces what is written here.
      const rows = await tx.$queryRaw<Agreed[]>`
        SELECT id, currency, agreement FROM subscription WHERE ${after}::uuid IS NULL OR id > ${after}::uuid
        ORDER BY id LIMIT ${BATCH} FOR UPDATE`
      await replaceAgreementRows(tx, rows)
      done += rows.length
      return rows.length === BATCH ? (rows.at(-1)?.id ?? null) : null
    }, PATIENCE)
    if (last === null) break
    after = last
    onProgress(done)
  }
  await prisma.storeFact.createMany({ data: [{ name: DERIVED }], skipDuplicates: true })
}
