/**
 * A server with the response cache and one without, side by side over the same database: whatever was requested before
 * and whatever was written meanwhile, both send the same status, headers and bytes to anyone at any instant.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { DomainError } from '../../src/domain/input/errors.ts'
import { createCatalogRule, deleteCatalogRule, updateCatalogRule } from '../../src/operations/catalog/catalog-rule.ts'
import { deleteRelease, publishRelease } from '../../src/operations/catalog/release.ts'
import { restoreRelease, withdrawRelease } from '../../src/operations/catalog/release-schedule.ts'
import { addSales } from '../../src/operations/pricing/campaign.ts'
import type { Context } from '../../src/request/context.ts'
import { ResponseCache } from '../../src/response-cache/response-cache.ts'
import { useDatabase } from '../support/database.ts'
import { times } from '../support/effort.ts'
import { flash, fullStore, ids, winter } from '../support/full-store.ts'
import { contextOf } from '../support/price-books.ts'
import { publish } from '../support/published.ts'
import { manualClock, startTestServer, type TestServer } from '../support/server.ts'
import { insertStore } from '../support/store.ts'
import { contextAs, idOf, makeOffering, makePlan, makeProduct, makeSubscription } from '../support/subscriptions.ts'
import {
  account,
  choice,
  type Headers,
  otherCatalog,
  parts,
  queries,
  type Request,
  type Viewer,
  viewers,
} from './leak-requests.ts'

const database = useDatabase()
let cached: TestServer
let plain: TestServer

beforeAll(async () => {
  // The set of published releases is re-read when the test says so: each publish below is made known to both servers.
  cached = await startTestServer(database, { elapsed: manualClock(), config: { cacheMaxAge: 5 } })
  plain = await startTestServer(database, { elapsed: manualClock(), config: { responseCacheMb: 0, cacheMaxAge: 5 } })
  const store = fullStore()
  const [catalog] = store.catalogs
  if (catalog) store.catalogs.push({ ...catalog, id: otherCatalog, name: 'Other store' })
  await insertStore(database, store)
  const ctx = contextAs(cached.services, cached.now)
  await makeProduct(cached, idOf('product', 1))
  await makePlan(ctx, idOf('plan', 1))
  await makeOffering(ctx, idOf('offering', 1), { plans: [idOf('plan', 1)] })
  for (const catalogId of [ids.catalog, otherCatalog]) await write({ kind: 'publish', by: 'cached', catalogId })
  return async () => {
    await cached.stop()
    await plain.stop()
  }
})

interface Question {
  readonly request: Request
  readonly viewer: Viewer
  readonly headers: Headers
  readonly now: number
  /** If-None-Match: `*`, or the tag of the last response to the same request. */
  readonly condition: 'none' | 'any' | 'last'
}

const writesOfRules = ['rule', 'rule', 'change rule', 'delete rule'] as const
const writesOfReleases = ['publish', 'campaign', 'schedule', 'schedule', 'restore', 'withdraw', 'delete'] as const

interface Write {
  readonly kind: 'rename' | 'subscribe' | (typeof writesOfRules)[number] | (typeof writesOfReleases)[number]
  /** For all but renames and subscriptions: which server writes. */
  readonly by: 'cached' | 'plain'
  readonly catalogId: string
}

const writing: fc.Arbitrary<Write> = fc.record({
  kind: fc.constantFrom<Write['kind'][]>('rename', 'rename', 'subscribe', ...writesOfRules, ...writesOfReleases),
  by: fc.constantFrom('cached', 'plain'),
  catalogId: fc.constantFrom(ids.catalog, otherCatalog),
})

/** Releases that were published at once, by catalog, and those that were scheduled. */
const releases = new Map<string, string[]>()
const scheduled: string[] = []
const rules: string[] = []
let written = 0
let releaseWrites = 0

/** Renames records of every kind that a query above reads, which a release shows only once it is published. */
async function rename(): Promise<void> {
  for (const table of ['product', 'price_book', 'subscription_product', 'catalog'])
    await database.pool.query(`UPDATE ${table} SET name = $1::text || right(id::text, 4)`, [`Name ${written} `])
}

/** Creates a rule, in half of the cases in force around the change of a price alone; or changes or deletes one. */
async function writeRule({ kind, catalogId }: Write, ctx: Context): Promise<void> {
  const criteria = [
    { channels: ['web'] },
    { tags: ['gold'] },
    { account_ids: [account] },
    { channels: ['app'], tags: ['new'] },
  ][written % 4]
  const [valid_from, valid_to] = [-1000, 999].map((by) =>
    new Date(([winter.from, flash.to][written % 2] as number) + by).toISOString(),
  )
  const attributes = {
    catalog_id: catalogId,
    ...criteria,
    schedules: written % 8 < 4 ? [{ valid_from, valid_to }] : [],
  }
  const id = kind === 'rule' ? undefined : rules[written % rules.length]
  if (id === undefined) {
    const data = { type: 'catalog_rule', attributes: { name: `Rule ${written}`, ...attributes } }
    rules.push((await createCatalogRule(ctx, { data })).id)
  } else if (kind === 'change rule') {
    const cleared = { account_ids: [], channels: [], tags: [] }
    await updateCatalogRule(ctx, {
      id,
      data: { type: 'catalog_rule', id, attributes: { ...cleared, ...attributes } },
    })
  } else {
    await deleteCatalogRule(ctx, { id })
    rules.splice(rules.indexOf(id), 1)
  }
}

async function write(one: Write): Promise<void> {
  written++
  const ctx = contextOf(cached.services, cached.now)
  if (one.kind === 'rename') return rename()
  if (one.kind === 'subscribe') return void (await makeSubscription(ctx, { name: `Ada ${written}` }))
  const [server, other] = one.by === 'cached' ? [cached, plain] : [plain, cached]
  try {
    await (one.kind.endsWith('rule')
      ? writeRule(one, contextOf(server.services, server.now))
      : writeRelease(server, one))
  } catch (error) {
    // Such as a release that is the latest already.
    if (!(error instanceof DomainError)) throw error
  }
  other.services.releases.invalidate()
}

/**
 * Publishes, now or for later, with a new sale or without, and what else makes another release the latest of a catalog.
 */
async function writeRelease(server: TestServer, { kind, catalogId }: Write): Promise<void> {
  const { now, services } = server
  const ctx = contextOf(services, now)
  const published = releases.get(catalogId) ?? []
  releases.set(catalogId, published)
  if (kind === 'delete' && published.length > 1) await deleteRelease(ctx, { releaseId: published.pop() as string })
  else if (kind === 'schedule') scheduled.push((await publishRelease(ctx, { catalogId, at: now + 1000 })).id)
  else if (kind === 'restore')
    await restoreRelease(ctx, {
      releaseId: published.at(-2) ?? scheduled.at(-1) ?? ids.unknown,
      at: written % 2 ? now + 1000 : null,
    })
  else if (kind === 'withdraw') await withdrawRelease(ctx, { releaseId: scheduled.pop() ?? ids.unknown })
  else {
    if (kind === 'campaign') await addSale(ctx)
    published.push((await publish(server, catalogId)).id)
  }
  releaseWrites++
}

/** A sale of one second from now on, the shortest there is. */
async function addSale(ctx: Context): Promise<void> {
  const [from, to] = [ctx.now, ctx.now + 1000].map((instant) => new Date(instant).toISOString())
  const schedule = { valid_from: from, valid_to: to }
  const data = {
    name: `Sale ${written}`,
    skus: ['MACHINE', 'BEANS'],
    schedule,
    change: { percent_off: 1 + (written % 50) },
  }
  await addSales(ctx, { priceBookId: ids.book, mode: 'per_row', dryRun: false, data })
}

/** As if all that is published or scheduled had been published long ago: the instants of runs go back and forth. */
async function settle(): Promise<void> {
  const text = `UPDATE release_activation SET scheduled = false, effective_at = effective_at - interval '10 years' WHERE effective_at > '2025-01-01'`
  await database.pool.query(text)
  await database.pool.query(`UPDATE catalog SET first_published_at = '2010-01-01'`)
  for (const { services } of [cached, plain]) services.releases.invalidate()
}

/**
 * What an operation spent depends on what the server has in memory beside responses. It is sent with the header
 * GraphQL-Cost.
 */
const spent = /"spent":\d+/

async function ask(server: TestServer, { request, viewer, headers, now, condition }: Question, last: string) {
  server.now = now
  const { token } = await server.issue(viewer, Math.floor(now / 1000) * 1000)
  const conditional = condition === 'none' ? {} : { 'if-none-match': condition === 'any' ? '*' : last }
  const { method, path, body } = request
  const reply = await server.rest(method, path, {
    token,
    headers: { ...headers, ...conditional },
    ...(body && { body }),
  })
  const sent = ['content-type', 'cache-control', 'vary', ...('graphql-cost' in headers ? [] : ['content-length'])].map(
    (name) => [name, reply.headers.get(name)],
  )
  // An operation that is compiled orders the members of a failure otherwise than one that is interpreted.
  const text = reply.body?.errors ? reply.body : reply.text?.replace(spent, '"spent":')
  return { status: reply.status, text, etag: reply.headers.get('etag'), ...Object.fromEntries(sent) }
}

describe('the response cache', () => {
  it('the response cache is compared by queries that all have data for an administrator', async () => {
    const { token } = await cached.issue(viewers[0] as Viewer, flash.from)
    const now = cached.now
    cached.now = flash.from
    const replies = await Promise.all(
      queries.map((query) => cached.rest('POST', '/graphql', { token, body: { query } })),
    )
    cached.now = now
    expect(replies.map(({ body }) => body.errors).filter(Boolean)).toEqual([])
  })

  it('right.shoppers-see-published-and-own, release.is-a-snapshot, list.true-until-next-change: the response cache changes no response, for any viewer, request, instant and order of writes', async () => {
    const find = vi.spyOn(ResponseCache.prototype, 'find')
    // Fewer may come without a hit or a write, by chance.
    const numRuns = times(12, 12)
    const steps = fc.array(fc.oneof({ weight: 7, arbitrary: choice }, { weight: 1, arbitrary: writing }), {
      minLength: 8,
      maxLength: 24,
    })
    await fc.assert(
      fc.asyncProperty(parts, steps, async ({ requests, viewers, headers, instants }, steps) => {
        await settle()
        const tags = new Map<Request, string>()
        for (const step of steps) {
          if ('kind' in step) {
            await write(step)
            continue
          }
          const request = requests[step.request % requests.length] as Request
          const [viewer, now] = [viewers[step.viewer] as Viewer, instants[step.instant] as number]
          const one = { request, viewer, headers: headers[step.headers] ?? {}, now, condition: step.condition }
          const tag = tags.get(request) ?? '"none"'
          const made = await ask(plain, one, tag)
          if (made.etag) tags.set(request, made.etag)
          for (let time = 0; time < step.times; time++) expect(await ask(cached, one, tag)).toEqual(made)
        }
      }),
      { numRuns, endOnFailure: true },
    )
    // Usual are, of 12 runs, 90 hits and 10 writes beside the first two; chance leaves a tenth of that at least.
    expect(find.mock.results.filter(({ value }) => value !== undefined).length).toBeGreaterThan((numRuns * 9) / 12)
    expect(releaseWrites - 2).toBeGreaterThanOrEqual(numRuns / 12)
    find.mockRestore()
  })
})
