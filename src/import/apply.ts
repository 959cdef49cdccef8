/** Import batches: writes objects in transactions, so that an import that is killed leaves whole objects. */
import { assertValid, DomainError } from '../domain/input/errors.ts'
import { readInput } from '../domain/input/input-reader.ts'
import { readReference } from '../domain/input/record.ts'
import { publishOnce, publishRelease } from '../operations/catalog/release.ts'
import { resolveId } from '../operations/references.ts'
import type { Author } from '../persistence/database/change-log.ts'
import { inTransaction, type Transaction } from '../persistence/database/transaction.ts'
import { refreshStatistics } from '../persistence/demo-state.ts'
import { type Context, createContext, type Services } from '../request/context.ts'
import type { ImportObject } from './batch.ts'
import { readKey } from './keys.ts'
import type { Outcome } from './outcome.ts'
import { importPrices, preparePrice } from './price-batch.ts'
import { upsert } from './upsert.ts'

/** Milliseconds that a batch may wait for a connection, and that its long transaction may run. */
const LIMITS = { wait: 60_000, limit: 600_000 }

/** To whom the change log ascribes what an import writes. */
export const importAuthor: Author = { subject: 'import', role: 'admin', operation: 'import' }

/** The context of an import, with all rights: its user has access to the database itself. */
export function importContext(services: Services): Context {
  const { subject, role } = importAuthor
  const viewer = { subject, role, accountId: null, expiresAt: Number.POSITIVE_INFINITY } as const
  return createContext(services, { viewer, now: Date.now(), requestId: 'import' })
}

/**
 * Writes the objects of a batch in order, in as few transactions as possible, and yields the outcomes of each transaction when it has
 * committed. With `stopAtRefusal` the caller stops at the first refused object. Throws failures that no object causes, such as Unavailable.
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
    // Halves the batch until the refused object is alone.
    const middle = objects.length >> 1
    yield* applyBatch(services, objects.slice(0, middle), stopAtRefusal)
    yield* applyBatch(services, objects.slice(middle), stopAtRefusal)
  }
}

/** Writes all objects in one transaction; returns the error of the first refused object, and stores nothing, when that fails. */
async function writeTogether(
  services: Services,
  objects: readonly ImportObject[],
  stopAtRefusal: boolean,
): Promise<readonly Outcome[] | DomainError> {
  const records = objects.filter(({ group }) => group === 'records')
  const prices = objects.flatMap(({ group, data, price }) => (group === 'prices' ? [price ?? preparePrice(data)] : []))
  const write = async (tx: Transaction): Promise<readonly Outcome[]> => {
    const ctx = importContext(services)
    const recordOutcomes: Outcome[] = []
    for (const { type, data } of records) recordOutcomes.push(await upsert(type, { ctx, tx, data }))
    if (prices.length === 0) return recordOutcomes
    const priceOutcomes = await importPrices(tx, prices, { now: ctx.now, stopAtRefusal })
    if (records.length === 0) return priceOutcomes
    // Records after a refused price must not be stored, so the transaction is rolled back.
    const last = priceOutcomes.at(-1)
    if (stopAtRefusal && last?.kind === 'refused') assertValid(last.violations)
    return objects.map(({ group }) => (group === 'prices' ? priceOutcomes : recordOutcomes).shift() as Outcome)
  }
  try {
    return await inTransaction(services.database, importAuthor, write, LIMITS)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/** Publishes a catalog; an object with an `id` does so once, even when that release is deleted by now (import.first-given-key-decides). */
async function publish(services: Services, { data }: ImportObject): Promise<Outcome> {
  try {
    const { key, violations: keyViolations } = readKey(data, null)
    const { value, violations } = readInput(data, (reader) => {
      const attributes = reader.object('attributes', { required: true })
      return attributes && readReference(attributes, 'catalog_id', ['catalog'], { required: true })
    })
    assertValid([...keyViolations, ...violations])
    const path = ['attributes', 'catalog_id']
    const catalogId = await inTransaction(services.database, importAuthor, (tx) => resolveId(tx, 'catalog', value ?? undefined, path))
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
