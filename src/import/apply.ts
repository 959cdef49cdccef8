/** Writes batches of objects, in transactions, so that a killed import leaves whole objects only. */

import { assertValid, DomainError } from '../domain/input/errors.ts'
import { readInput } from '../domain/input/input-reader.ts'
import { readReference } from '../domain/input/record.ts'
import { publishOnce, publishRelease } from '../operations/catalog/release.ts'
import { resolveId } from '../operations/references.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import { refreshStatistics } from '../persistence/demo-state.ts'
import { type Context, createContext, type Services } from '../request/context.ts'
import type { ImportObject } from './batch.ts'
import { readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'
import { importPrices, preparePrice } from './price-batch.ts'
import { upsert } from './upsert.ts'

/** A batch is large and its transaction may be long; nobody waits for it but the import. */
const LIMITS = { wait: 60_000, limit: 600_000 }

/** Only an operator who holds the database can import. */
export function importContext(services: Services): Context {
  const viewer = { subject: 'import', role: 'admin', accountId: null, expiresAt: Number.POSITIVE_INFINITY } as const
  return createContext(services, { viewer, now: Date.now(), requestId: 'import' })
}

/**
 * Writes the objects of a batch in as few transactions as go well, in order, and answers the outcomes of each when it is committed. With
 * `stopAtRefusal` whoever hears of a refusal asks for no more. A failure that is no object's fault (the database went away) is thrown.
 */
export async function* applyBatch(
  services: Services,
  objects: readonly ImportObject[],
  stopAtRefusal: boolean,
): AsyncGenerator<readonly Outcome[]> {
  const [first] = objects
  if (first?.group === 'release') {
    yield [await publish(services, first)]
    return
  }
  const written = await writeTogether(services, objects, stopAtRefusal)
  if (!(written instanceof DomainError)) yield written
  else if (objects.length === 1) yield [refused(written)]
  else {
    // Down to the one that is refused.
    const middle = objects.length >> 1
    yield* applyBatch(services, objects.slice(0, middle), stopAtRefusal)
    yield* applyBatch(services, objects.slice(middle), stopAtRefusal)
  }
}

/** All in one transaction; what is wrong with one of them, and nothing stored, when that can't be. */
async function writeTogether(
  services: Services,
  objects: readonly ImportObject[],
  stopAtRefusal: boolean,
): Promise<readonly Outcome[] | DomainError> {
  const records = objects.filter(({ group }) => group === 'records')
  const prices = objects.flatMap(({ group, data, price }) => (group === 'prices' ? [price ?? preparePrice(data)] : []))
  const write = async (tx: Transaction): Promise<readonly Outcome[]> => {
    const ctx = importContext(services)
    const ofRecords: Outcome[] = []
    for (const { type, data } of records) ofRecords.push(await upsert(type, { ctx, tx, data }))
    if (prices.length === 0) return ofRecords
    const ofPrices = await importPrices(tx, prices, { now: ctx.now, stopAtRefusal })
    if (records.length === 0) return ofPrices
    // Of records that come after a refused price nothing may be stored.
    const last = ofPrices.at(-1)
    if (stopAtRefusal && last?.kind === 'refused') assertValid(last.violations)
    return objects.map(({ group }) => (group === 'prices' ? ofPrices : ofRecords).shift() as Outcome)
  }
  try {
    return await inTransaction(services.database, write, LIMITS)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Publishes a catalog; for an `id` that is given once, even when that release is gone by now (import.first-given-key-decides). */
async function publish(services: Services, { data }: ImportObject): Promise<Outcome> {
  try {
    const { key, violations: wrongKey } = readKey(data, null)
    const { value, violations } = readInput(data, (reader) => {
      const attributes = reader.object('attributes', { required: true })
      return attributes && readReference(attributes, 'catalog_id', ['catalog'], { required: true })
    })
    assertValid([...wrongKey, ...violations])
    const path = ['attributes', 'catalog_id']
    const catalogId = await inTransaction(services.database, (tx) => resolveId(tx, 'catalog', value ?? undefined, path))
    await refreshStatistics(services.database)
    const ctx = importContext(services)
    if (key?.by === 'id') return { kind: (await publishOnce(ctx, { catalogId: catalogId ?? '', id: key.value })) ? 'created' : 'unchanged' }
    await publishRelease(ctx, { catalogId: catalogId ?? '' })
    return { kind: 'created' }
  } catch (error) {
    if (error instanceof DomainError) return refused(error)
    throw error
  }
}

function refused(error: DomainError): Outcome {
  return { kind: 'refused', violations: error.violations }
}
