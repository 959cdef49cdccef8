/** Import batches: writes objects in transactions, so that an import that is killed leaves whole objects. */
import { assertValid, conflict, DomainError } from '../domain/input/errors.ts'
import { readInput } from '../domain/input/read-input.ts'
import { readReference } from '../domain/input/record.ts'
import type { JsonObject } from '../lib/json-object.ts'
import { resolveId } from '../operations/references.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { ImportObject } from './batch.ts'
import { importContext } from './context.ts'
import { readKey } from './keys.ts'
import { writeWithoutRefused } from './node-products.ts'
import type { SpellOption } from './option-words.ts'
import type { Outcome } from './outcome.ts'
import type { GivenRow } from './parsed-object.ts'
import { importPrices, preparePrice } from './price-batch.ts'
import type { RefusedProducts } from './refused-products.ts'
import { upsert } from './upsert.ts'
import type { Writing } from './writing.ts'

/** How a batch is written. */
export interface BatchOptions {
  readonly stopAtRefusal: boolean
  /** The objects that were refused before, without releases, behind which no release is published. */
  readonly refusedBefore: number
  /** How problems name options. */
  readonly spell: SpellOption
  /** The products that were refused before. */
  readonly refusedProducts: RefusedProducts
  /** Called at the beginning of each transaction with its objects. */
  readonly prepare?: (tx: Transaction, objects: readonly ImportObject[]) => Promise<void>
  /** Called before the end of each transaction with its objects and their outcomes. */
  readonly record: (tx: Transaction, objects: readonly ImportObject[], outcomes: readonly Outcome[]) => Promise<void>
}

/**
 * Writes the objects of a batch in order, in as few transactions as possible, and yields the outcomes of each
 * transaction when it has committed. With `stopAtRefusal` the caller stops at the first refused object. Throws failures
 * that no object causes, such as Unavailable.
 */
export async function* applyBatch(
  writing: Writing,
  objects: readonly ImportObject[],
  options: BatchOptions,
): AsyncGenerator<readonly Outcome[]> {
  const [first] = objects
  if (first?.group === 'release') {
    yield [await publish(writing, first, options)]
    return
  }
  let written = await writeBatch(writing, objects, options)
  // Another writer may have created or deleted the object's record after the lookup of its key. This looks it up again.
  if (objects.length === 1 && isOfPresentRecords(written)) written = await writeBatch(writing, objects, options)
  if (!(written instanceof DomainError)) yield written
  else if (objects.length === 1) yield [refused(written)]
  else {
    // Halves the batch until the refused object is alone.
    const middle = objects.length >> 1
    yield* applyBatch(writing, objects.slice(0, middle), options)
    yield* applyBatch(writing, objects.slice(middle), options)
  }
}

/** Whether a refusal depends on stored records, not on the object alone. */
function isOfPresentRecords(written: readonly Outcome[] | DomainError): boolean {
  return written instanceof DomainError && (written.kind === 'conflict' || written.kind === 'notFound')
}

/**
 * Writes all objects in one transaction. When that fails, nothing is stored, and the error of the first refused object
 * is returned.
 */
async function writeBatch(
  writing: Writing,
  objects: readonly ImportObject[],
  { stopAtRefusal, refusedProducts, prepare, record }: BatchOptions,
): Promise<readonly Outcome[] | DomainError> {
  const records = objects.filter(({ group }) => group === 'records')
  const prices = objects.flatMap(({ group, data, unknown, price }) =>
    group === 'prices' ? [price ?? preparePrice(data, unknown)] : [],
  )
  const writeObjects = async (tx: Transaction): Promise<readonly Outcome[]> => {
    const ctx = importContext(writing.services, writing.author)
    const recordOutcomes: Outcome[] = []
    for (const object of records) {
      const { type, unknown } = object
      const write = (given: JsonObject, row?: GivenRow) => upsert(type, { ctx, tx, given, unknown }, row)
      recordOutcomes.push(await writeWithoutRefused(tx, object, refusedProducts, write))
    }
    if (prices.length === 0) return recordOutcomes
    const priceOutcomes = await importPrices(tx, prices, { now: ctx.now, stopAtRefusal })
    if (records.length === 0) return priceOutcomes
    // Records after a refused price must not be stored, so the transaction is rolled back.
    const last = priceOutcomes.at(-1)
    if (stopAtRefusal && last?.kind === 'refused') assertValid(last.violations)
    return objects.map(({ group }) => (group === 'prices' ? priceOutcomes : recordOutcomes).shift() as Outcome)
  }
  try {
    return await writing.write(async (tx) => {
      await prepare?.(tx, objects)
      const outcomes = await writeObjects(tx)
      await record(tx, objects, outcomes)
      return outcomes
    })
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

/**
 * Publishes a catalog; an object with an `id` does so once, even when that release is deleted by now
 * (import.first-given-key-decides).
 */
async function publish(
  writing: Writing,
  object: ImportObject,
  { prepare, refusedBefore, spell }: BatchOptions,
): Promise<Outcome> {
  const { data, unknown } = object
  try {
    const { key, violations: keyViolations } = readKey(data, null)
    const { value, violations } = readInput(data, (reader) => {
      const attributes = reader.object('attributes', { required: true })
      return attributes && readReference(attributes, 'catalog_id', ['catalog'], { required: true })
    })
    assertValid([...unknown, ...keyViolations, ...violations])
    const path = ['attributes', 'catalog_id']
    const catalogId = await writing.write(async (tx) => {
      await prepare?.(tx, [object])
      return resolveId(tx, 'catalog', value ?? undefined, path)
    })
    if (refusedBefore > 0) throw unpublished(refusedBefore, spell)
    const isNew = await writing.publish({ catalogId: catalogId ?? '', id: key?.by === 'id' ? key.value : null })
    return { kind: isNew ? 'created' : 'unchanged' }
  } catch (error) {
    if (error instanceof DomainError) return refused(error)
    throw error
  }
}

/** The error of a release behind refused objects (import.refused-objects-unpublished). */
function unpublished(refused: number, spell: SpellOption): DomainError {
  const before = `${refused} ${refused === 1 ? 'object' : 'objects'} before it ${refused === 1 ? 'was' : 'were'} refused`
  const message = `is not published, since ${before}: correct them, or give ${spell('publish-anyway')}`
  return conflict('ACTION_REFUSED', [], message)
}

function refused(error: DomainError): Outcome {
  return { kind: 'refused', violations: error.violations }
}
