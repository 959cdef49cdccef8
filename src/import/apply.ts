/** Writes batches of objects: each batch is one transaction, so that a killed import leaves whole objects only. */
import { type Context, createContext, type Services } from '../context.ts'
import { assertValid, DomainError } from '../domain/errors.ts'
import { readInput } from '../domain/read.ts'
import { readReference } from '../domain/record.ts'
import { resolveId } from '../operations/references.ts'
import { publishRelease } from '../operations/release.ts'
import { inTransaction } from '../persistence/transaction.ts'
import type { Group, ImportObject } from './batch.ts'
import type { Outcome } from './outcome.ts'
import { importPrices, type PreparedPrice, preparePrice } from './price-batch.ts'
import { refreshStatistics } from './statistics.ts'
import { upsert } from './upsert.ts'

/** A batch is large and its transaction may be long; nobody waits for it but the import. */
const LIMITS = { wait: 60_000, limit: 600_000 }

/** Only an operator who holds the database can import. */
export function importContext(services: Services): Context {
  const viewer = { subject: 'import', role: 'admin', accountId: null, expiresAt: Number.POSITIVE_INFINITY } as const
  return createContext(services, { viewer, now: Date.now(), requestId: 'import' })
}

/**
 * Writes the objects of a batch and answers an outcome for each, in order; with `stopAtRefusal` up to the first that is refused. A failure
 * that is no object's fault (the database went away) is thrown.
 */
export async function applyBatch(services: Services, objects: readonly ImportObject[], stopAtRefusal: boolean): Promise<Outcome[]> {
  const runs = runsOf(objects)
  const together = runs.length > 1 && (await applyTogether(services, objects, stopAtRefusal))
  if (together) return together
  const outcomes: Outcome[] = []
  for (const { group, objects } of runs) {
    outcomes.push(...(await applyRun(services, group, objects, stopAtRefusal)))
    if (stopAtRefusal && outcomes.at(-1)?.kind === 'refused') break
  }
  return outcomes
}

interface Run {
  readonly group: Group
  readonly objects: ImportObject[]
}

/** Objects of one group that follow each other. */
function runsOf(objects: readonly ImportObject[]): Run[] {
  const runs: Run[] = []
  for (const object of objects) {
    const last = runs.at(-1)
    if (last?.group === object.group) last.objects.push(object)
    else runs.push({ group: object.group, objects: [object] })
  }
  return runs
}

function applyRun(services: Services, group: Group, objects: readonly ImportObject[], stopAtRefusal: boolean): Promise<Outcome[]> {
  if (group === 'prices') return applyPrices(services, objects, stopAtRefusal)
  if (group === 'records') return applyRecords(services, objects, stopAtRefusal)
  return Promise.all(objects.map((object) => publish(services, object)))
}

/** Records and prices in one transaction; null, and nothing stored, when that can't be. */
async function applyTogether(services: Services, objects: readonly ImportObject[], stopAtRefusal: boolean): Promise<Outcome[] | null> {
  const isPrice = ({ group }: ImportObject): boolean => group === 'prices'
  try {
    return await inTransaction(
      services.database,
      async (tx) => {
        const ctx = importContext(services)
        const records: Outcome[] = []
        for (const { type, data } of objects.filter((object) => !isPrice(object))) records.push(await upsert(type, { ctx, tx, data }))
        const prices = await importPrices(tx, preparedOf(objects.filter(isPrice)), { now: ctx.now, stopAtRefusal })
        const last = prices.at(-1)
        if (stopAtRefusal && last?.kind === 'refused') assertValid(last.violations)
        return objects.map((object) => (isPrice(object) ? prices : records).shift() as Outcome)
      },
      LIMITS,
    )
  } catch (error) {
    if (error instanceof DomainError) return null
    throw error
  }
}

const preparedOf = (objects: readonly ImportObject[]): PreparedPrice[] => objects.map(({ data, price }) => price ?? preparePrice(data))

/** All in one go; when two clash with each other or with what is stored, each half on its own, down to the one that is refused. */
async function applyPrices(services: Services, objects: readonly ImportObject[], stopAtRefusal: boolean): Promise<Outcome[]> {
  const prices = preparedOf(objects)
  try {
    return await inTransaction(services.database, (tx) => importPrices(tx, prices, { now: Date.now(), stopAtRefusal }), LIMITS)
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    if (objects.length === 1) return [refused(error)]
    const middle = objects.length >> 1
    const first = await applyPrices(services, objects.slice(0, middle), stopAtRefusal)
    if (stopAtRefusal && first.at(-1)?.kind === 'refused') return first
    return [...first, ...(await applyPrices(services, objects.slice(middle), stopAtRefusal))]
  }
}

/** All in one transaction; when one is refused, those before it again without it, and the rest after it. */
async function applyRecords(services: Services, objects: readonly ImportObject[], stopAtRefusal: boolean): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let from = 0; from < objects.length; ) {
    const rest = objects.slice(from)
    const failure = await tryRecords(services, rest, outcomes)
    if (!failure) break
    const { index, error } = failure
    const again = index > 0 ? await tryRecords(services, rest.slice(0, index), outcomes) : null
    // Someone else wrote meanwhile: what went well the first time is now refused itself.
    if (again) throw again.error
    outcomes.push(refused(error))
    if (stopAtRefusal) break
    from += index + 1
  }
  return outcomes
}

/** Null when all were written, their outcomes added; else the first that was not, and nothing of any is stored. */
async function tryRecords(
  services: Services,
  objects: readonly ImportObject[],
  outcomes: Outcome[],
): Promise<{ index: number; error: DomainError } | null> {
  let index = 0
  try {
    const written = await inTransaction(
      services.database,
      async (tx) => {
        const ctx = importContext(services)
        const list: Outcome[] = []
        for (index = 0; index < objects.length; index++) {
          const { type, data } = objects[index] as ImportObject
          list.push(await upsert(type, { ctx, tx, data }))
        }
        return list
      },
      LIMITS,
    )
    outcomes.push(...written)
    return null
  } catch (error) {
    if (error instanceof DomainError) return { index, error }
    throw error
  }
}

async function publish(services: Services, { data }: ImportObject): Promise<Outcome> {
  try {
    const { value, violations } = readInput(data, (reader) => {
      const attributes = reader.object('attributes', { required: true })
      return attributes && readReference(attributes, 'catalog_id', ['catalog'], { required: true })
    })
    assertValid(violations)
    const path = ['attributes', 'catalog_id']
    const catalogId = await inTransaction(services.database, (tx) => resolveId(tx, 'catalog', value ?? undefined, path))
    await refreshStatistics(services.database)
    await publishRelease(importContext(services), { catalogId: catalogId ?? '' })
    return { kind: 'created' }
  } catch (error) {
    if (error instanceof DomainError) return refused(error)
    throw error
  }
}

function refused(error: DomainError): Outcome {
  return { kind: 'refused', violations: error.violations }
}
