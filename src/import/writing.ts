/** Writing: how the batches of an import reach the database, each in a transaction of its own or all in one. */
import { conflict } from '../domain/input/errors.ts'
import { publishOnce, publishRelease } from '../operations/catalog/release.ts'
import { catalogOfPublishedIn } from '../persistence/catalog/release.ts'
import type { Author } from '../persistence/database/change-log.ts'
import type { Queryable } from '../persistence/database/query.ts'
import {
  inOneTransaction,
  inSavepoint,
  inTransaction,
  inUndoneTransaction,
  type Transaction,
} from '../persistence/database/transaction.ts'
import { lockImports } from '../persistence/import-lock.ts'
import { refreshStatistics } from '../persistence/planner-statistics.ts'
import type { Services } from '../request/context.ts'
import { importAuthor, importContext } from './context.ts'

/** A catalog to publish; with an id it is published only once. */
export interface ReleaseOrder {
  readonly catalogId: string
  readonly id: string | null
  /** With an id: called at the end of the transaction that publishes it, which is undone when it throws. */
  readonly confirm?: (on: Queryable) => Promise<void>
}

/** The way in which an import writes its batches. */
export interface Writing {
  readonly services: Services
  /** The author of what it writes; absent: `importAuthor`. */
  readonly author?: Author
  /** Runs `work` so that what it writes is stored whole or not at all. */
  readonly write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** Publishes a catalog; false when it was published before. Throws the conflict ID_TAKEN. */
  readonly publish: (release: ReleaseOrder) => Promise<boolean>
}

/** Milliseconds that a batch may wait for a connection, and that its long transaction may run. */
const LIMITS = { wait: 60_000, limit: 600_000 }

/**
 * Each batch in a transaction of its own: what was taken stays, whatever comes after it. A batch that is repeated,
 * after a deadlock, runs while no other import writes, since imports of the same rows in different orders would
 * deadlock again.
 */
export function writeSeparately(services: Services, author = importAuthor): Writing {
  return {
    services,
    author,
    write: batchesIn(inTransaction, services, author),
    publish: (release) => publishNow(services, release, author),
  }
}

/** As `writeSeparately`, but each batch is undone, and nothing is published (job.check-writes-nothing). */
export function writeNothing(services: Services, author: Author): Writing {
  const write = batchesIn(inUndoneTransaction, services, author)
  return {
    services,
    author,
    write,
    publish: wouldPublish((id) => write((tx) => catalogOfPublishedIn(tx, id))),
  }
}

function batchesIn(transaction: typeof inTransaction, { database }: Services, author: Author): Writing['write'] {
  return (work) => {
    let isRepeated = false
    const write = async (tx: Transaction) => {
      await lockImports(tx, isRepeated)
      isRepeated = true
      return work(tx)
    }
    return transaction(database, author, write, LIMITS)
  }
}

/** Whether releases would be published, one after another; `publishedOf` finds the catalog of a published one. */
function wouldPublish(publishedOf: (id: string) => Promise<string | null>): Writing['publish'] {
  const catalogOf = new Map<string, string>()
  return async ({ id, catalogId }) => {
    if (id === null) return true
    const known = catalogOf.get(id) ?? (await publishedOf(id))
    if (known === catalogId) return false
    if (known !== null) throw conflict('ID_TAKEN', ['id'], 'A record with the id already exists')
    catalogOf.set(id, catalogId)
    return true
  }
}

/**
 * Runs `work` in one transaction, which commits when `work` resolves to true, unless it is a dry run
 * (import.all-or-nothing, import.dry-run-equals-run). Then it calls `onStored` and publishes the catalogs in their
 * order. Changed rows are locked until the transaction ends.
 */
export async function writeTogether(
  services: Services,
  isDryRun: boolean,
  work: (writing: Writing) => Promise<boolean>,
  onStored: () => void,
): Promise<boolean> {
  const releases: ReleaseOrder[] = []
  const allTaken = await inOneTransaction(
    services.database,
    (tx) => {
      const isNew = wouldPublish((id) => catalogOfPublishedIn(tx, id))
      return work({
        services,
        write: (one) => inSavepoint(tx, importAuthor, one),
        async publish(release) {
          if (!(await isNew(release))) return false
          releases.push(release)
          return true
        },
      })
    },
    (taken) => taken && !isDryRun,
  )
  if (!allTaken || isDryRun) return allTaken
  onStored()
  for (const release of releases) await publishNow(services, release)
  return true
}

async function publishNow(
  services: Services,
  { catalogId, id, ...confirmed }: ReleaseOrder,
  author = importAuthor,
): Promise<boolean> {
  await refreshStatistics(services.database)
  const ctx = importContext(services, author)
  if (id !== null) return publishOnce(ctx, { catalogId, id, ...confirmed })
  await publishRelease(ctx, { catalogId })
  return true
}
