import { readFileSync } from 'node:fs'
import { buildSchema, type GraphQLInputObjectType, getNamedType } from 'graphql'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Agreement } from '../../../src/domain/subscriptions/agreement.ts'
import { globalId, parseGlobalId, rawId } from '../../../src/graphql/schema/ids.ts'
import { reset, useDatabase } from '../../support/database.ts'
import { books, send } from '../../support/import-jobs.ts'
import { mutate } from '../../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../../support/price-books.ts'
import { START, startTestServer, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const monthly = {
  billingIntervalType: 'MONTH',
  billingFrequency: 1,
  trialPeriod: 0,
  planLength: 12,
  endBehavior: 'CLOSE',
}
/** A file that was sent to be imported. */
const makeUpload = async (): Promise<string> => (await send(server, books('Sent'))).body.data.id
const plan = { name: 'Monthly', ...monthly, canPause: true, canResume: true, canCancel: true }
let book = ''
let price = ''

interface Create {
  readonly name: string
  /** The payload's field, and its selection. */
  readonly selected: string
  readonly input: (name: string) => object
  /** Records that must exist before; `names` are those that `input` gets. */
  readonly prepare?: (...names: string[]) => Promise<unknown>
  /** How many records there are. */
  readonly count: () => Promise<number>
  /** The kinds of the entries that it leaves in the change log; absent: that of a new record. */
  readonly logged?: readonly ReturnType<typeof kindOf>[]
}

/** What tests of one mutation prepared, by name. */
const prepared = new Map<string, string>()
const preparedId = (name: string): string => prepared.get(name) ?? ''
const each =
  (create: (name: string) => Promise<string>) =>
  async (...names: string[]) => {
    for (const name of names) prepared.set(name, await create(name))
  }

let lastEntry = 0n
let lastLook = 0
/** The state after the last entry of each record, by topic and id. */
const lastStates = new Map<string, unknown>()

/** What subscribers pay with, and the secrets of webhooks. */
const SECRETS = /Ada|ada@|gateway-|whsec_/

/**
 * The entries of the change log since the last call: all by `operation` and `subject`, each at its instant, from where
 * the one before of its record led to what is stored, without secrets.
 */
async function newEntries(operation?: string, subject = 'admin') {
  const found = await database.prisma.change.findMany({ where: { id: { gt: lastEntry } }, orderBy: { id: 'asc' } })
  // The database's clock is the machine's, and a column of milliseconds rounds up to the next one.
  const until = Date.now() + 1
  for (const entry of found) {
    expect(entry).toMatchObject({
      subject,
      role: 'admin',
      operation: operation ?? expect.stringMatching(/^[a-z]+[A-Z]/),
    })
    expect(entry.createdAt.getTime()).toBeGreaterThanOrEqual(lastLook)
    expect(entry.createdAt.getTime()).toBeLessThanOrEqual(until)
    const record = `${entry.topic} ${entry.recordId}`
    expect([record, entry.before]).toEqual([record, lastStates.get(record) ?? null])
    expect(JSON.stringify([entry.before, entry.after])).not.toMatch(SECRETS)
    lastStates.set(record, entry.after && stateOf(entry.after as Record<string, unknown>))
  }
  for (const { topic, recordId, after } of new Map(found.map((entry) => [entry.recordId, entry])).values())
    await expectStored(topic, recordId, after as Record<string, unknown> | null)
  lastEntry = found.at(-1)?.id ?? lastEntry
  lastLook = Date.now()
  return found
}

/** A logged state without what only its own write says of it. */
function stateOf({ attachedProductIds: _, detachedProductIds: __, ...state }: Record<string, unknown>): object {
  return state
}

/** An agreement as the log has it: with the ids of plans in place of their copies. */
function withoutPlanCopies(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('startsAt' in value && 'plan' in value)) return value
  const { plan, changes, ...agreement } = value as unknown as Agreement
  const logged = changes.map((change) => {
    if (change.type !== 'change') return change
    const { plan: changed, ...terms } = change
    return { ...terms, planId: changed?.id ?? null }
  })
  return { ...agreement, planId: plan.id, changes: logged }
}

interface RowReader {
  findUnique(args: object): Promise<Record<string, unknown> | null>
}

/** Expects the row of a record to have what its last entry says, as far as it has columns of the same names. */
async function expectStored(topic: string, id: string, after: Record<string, unknown> | null): Promise<void> {
  const model = topic.replace(/_./g, (part) => part.slice(1).toUpperCase()) as 'priceBook'
  const row = await (database.prisma[model] as unknown as RowReader).findUnique({ where: { id } })
  // A release that is gone is retired first.
  if (after === null) return expect([topic, row?.status]).toEqual([topic, topic === 'release' ? 'retired' : undefined])
  const names = Object.keys(after).filter((name) => row !== null && name in row)
  const plain = (value: unknown) => (value instanceof Date ? value.getTime() : withoutPlanCopies(value))
  expect([topic, Object.fromEntries(names.map((name) => [name, plain(row?.[name])]))]).toEqual([
    topic,
    Object.fromEntries(names.map((name) => [name, after[name]])),
  ])
  expect(names.length).toBeGreaterThan(4)
}

/** What an entry says was done to its record. */
const kindOf = ({ before, after }: { readonly before: unknown; readonly after: unknown }) =>
  before === null ? 'created' : after === null ? 'deleted' : 'updated'

/** Creates it and returns its id. */
const made = async (name: string, field: string, input: object): Promise<string> =>
  (await mutate(server, name, input, `${field} { id }`))[field].id

const makeCatalog = (name: string) => made('createCatalog', 'catalog', { name, hierarchyIds: [], priceBooks: [] })
const makeHierarchy = (name: string) => made('createHierarchy', 'hierarchy', { name })
const makeProduct = (name: string, more: object = {}) => made('createProduct', 'product', { name, ...more })
const makeNode = async (name: string) =>
  made('createNode', 'node', { name, parentId: await makeHierarchy(`Over ${name}`) })
const makeModifier = (name: string) => made('createPriceModifier', 'priceModifier', modifierOf(name))
const modifierOf = (name: string) => ({ priceBookId: book, name, type: 'PRICE_EQUALS', prices: [] })

async function makeSubscription(trialPeriod = 0, accountId?: string): Promise<string> {
  const planId = await made('createPlan', 'plan', { ...plan, trialPeriod })
  const offeringId = await made('createOffering', 'offering', { name: 'Offering', planIds: [planId] })
  const ids = accountId === undefined ? {} : { accountId }
  return made('createSubscription', 'subscription', { ...subscriptionOf(offeringId, planId, 'Ada'), ...ids })
}
const webhookOf = (name: string) => ({ url: `https://example.com/${name}`, topics: ['PRODUCT'] })
const makeWebhook = async (name: string): Promise<string> =>
  (await mutate(server, 'createWebhook', webhookOf(name), 'webhookSecret { webhook { id } }')).webhookSecret.webhook.id
const idOfBook = '0199c0de-0000-7000-8000-000000000002'

const subscriptionOf = (offeringId: string, planId: string, name: string) => ({
  ...{ accountId: '0199c0de-0000-7000-8000-d00000000001', offeringId, planId },
  ...{ currency: 'USD', name: `Ada ${name}`, email: 'ada@example.com' },
  paymentAuthority: { type: 'PLATFORM_PAYMENTS_GATEWAY', customerRef: 'gateway-customer', cardRef: 'gateway-card' },
})

let lastActivation = 0n
async function publishOf(catalogId: string, at?: string): Promise<{ id: string; catalogId: string }> {
  const { release } = await mutate(server, 'publishRelease', { catalogId, at }, 'release { id }')
  lastActivation = (await database.prisma.releaseActivation.aggregate({ _max: { id: true } }))._max.id ?? 0n
  return { id: release.id, catalogId }
}

const creates: readonly Create[] = [
  {
    name: 'createPriceBook',
    selected: 'priceBook { id name createdAt }',
    input: (name) => ({ name }),
    count: async () => (await database.prisma.priceBook.count()) - 1,
  },
  {
    name: 'addProductPrice',
    selected: 'productPrice { id sku sales { id name } prices { currency tiers { name } } createdAt }',
    input: (sku) => ({
      priceBookId: book,
      sku,
      prices: [
        { currency: 'USD', price: { amount: 1, tiers: [{ name: 'constructor', minimumQuantity: 2, amount: 1 }] } },
      ],
      sales: [{ name: 'constructor' }],
    }),
    count: async () => (await database.prisma.productPrice.count()) - 1,
  },
  {
    name: 'upsertProductPrices',
    selected: 'results { row outcome productPrice { id sku updatedAt } userErrors { code path } }',
    input: (sku) => ({
      priceBookId: book,
      mode: 'PER_ROW',
      rows: [
        { sku, prices: [] },
        { sku: '', prices: [] },
      ],
    }),
    count: async () => (await database.prisma.productPrice.count()) - 1,
  },
  {
    name: 'addSale',
    selected: 'sale { id name createdAt }',
    input: (name) => ({ productPriceId: price, name, schedule: { validFrom: '2026-01-01T00:00:00Z' } }),
    count: () => database.prisma.sale.count(),
    logged: ['updated'],
  },
  {
    name: 'createSubscriptionProduct',
    selected: 'subscriptionProduct { id name createdAt }',
    input: (name) => ({ name: `Paper ${name}` }),
    count: () => database.prisma.subscriptionProduct.count(),
  },
  {
    name: 'createPlan',
    selected: 'plan { id name createdAt }',
    input: (name) => ({ ...plan, name: `Plan ${name}` }),
    count: () => database.prisma.plan.count(),
  },
  {
    name: 'createOffering',
    selected: 'offering { id name createdAt }',
    input: (name) => ({ name: `Offering ${name}`, planIds: [], productIds: [] }),
    count: () => database.prisma.offering.count(),
  },
  {
    name: 'createSubscription',
    selected: 'subscription { id invoiceAfter subscriber { name } createdAt }',
    prepare: async () => {
      prepared.set('plan', await made('createPlan', 'plan', plan))
      prepared.set(
        'offering',
        await made('createOffering', 'offering', { name: 'Offering', planIds: [preparedId('plan')] }),
      )
    },
    input: (name) => subscriptionOf(preparedId('offering'), preparedId('plan'), name),
    count: () => database.prisma.subscription.count(),
  },
  {
    name: 'createPriceModifier',
    selected: 'priceModifier { id name createdAt }',
    input: modifierOf,
    count: () => database.prisma.priceModifier.count(),
  },
  {
    name: 'createProduct',
    selected: 'product { id name slug createdAt }',
    input: (name) => ({ name }),
    count: () => database.prisma.product.count(),
  },
  {
    name: 'buildChildProducts',
    selected: 'built { product { id } children { id createdAt } }',
    prepare: each((name) => makeProduct(name, { variations: [{ name: 'Size', options: [{ name: 'Small' }] }] })),
    input: (name) => ({ id: preparedId(name) }),
    count: () => database.prisma.product.count({ where: { parentId: { not: null } } }),
  },
  {
    name: 'createHierarchy',
    selected: 'hierarchy { id name createdAt }',
    input: (name) => ({ name }),
    count: () => database.prisma.catalogNode.count(),
  },
  {
    name: 'createNode',
    selected: 'node { id name createdAt }',
    prepare: async () => prepared.set('hierarchy', await makeHierarchy('Shop')),
    input: (name) => ({ parentId: preparedId('hierarchy'), name }),
    count: () => database.prisma.catalogNode.count({ where: { parentId: { not: null } } }),
  },
  {
    name: 'createCatalog',
    selected: 'catalog { id settings { name createdAt } }',
    input: (name) => ({ name, hierarchyIds: [], priceBooks: [] }),
    count: () => database.prisma.catalog.count(),
  },
  {
    name: 'createCatalogRule',
    selected: 'catalogRule { id name createdAt }',
    prepare: async () => prepared.set('catalog', await makeCatalog('Shop')),
    input: (name) => ({ catalogId: preparedId('catalog'), name }),
    count: () => database.prisma.catalogRule.count(),
  },
  {
    name: 'upsertLabels',
    selected: 'labels { id key locales { name } createdAt }',
    input: (name) => ({ labels: [{ kind: 'SALE', key: name, locales: [{ language: 'de', name }] }] }),
    count: () => database.prisma.label.count(),
  },
  {
    name: 'publishRelease',
    selected: 'release { id sequence publishedAt }',
    prepare: each(makeCatalog),
    input: (name) => ({ catalogId: preparedId(name) }),
    count: () => database.prisma.release.count(),
  },
  {
    name: 'restoreRelease',
    selected: 'release { id sequence updatedAt }',
    prepare: each(async (name) => {
      const older = await publishOf(await makeCatalog(name))
      await publishOf(older.catalogId)
      return older.id
    }),
    input: (name) => ({ releaseId: preparedId(name) }),
    // Of a restored release the activation stands in place of the one before, as the last of its catalog.
    count: () => database.prisma.releaseActivation.count({ where: { id: { gt: lastActivation } } }),
    logged: ['updated'],
  },
  {
    name: 'withdrawRelease',
    selected: 'release { id sequence updatedAt }',
    prepare: each(async (name) => (await publishOf(await makeCatalog(name), '2026-02-01T00:00:00Z')).id),
    input: (name) => ({ releaseId: preparedId(name) }),
    count: () => database.prisma.release.count({ where: { status: 'retired' } }),
    logged: ['deleted'],
  },
  {
    name: 'createWebhook',
    selected: 'webhookSecret { webhook { id createdAt } secret }',
    input: webhookOf,
    count: () => database.prisma.webhook.count(),
  },
  {
    name: 'rotateWebhookSecret',
    selected: 'webhookSecret { webhook { id updatedAt previousSecretUntil } secret }',
    prepare: each(makeWebhook),
    input: (name) => ({ id: preparedId(name) }),
    count: () => database.prisma.webhook.count({ where: { previousSecret: { not: null } } }),
    logged: ['updated'],
  },
  {
    name: 'retryDeadLetters',
    selected: 'retriedCount',
    prepare: each(async (name) => {
      const id = await makeWebhook(name)
      const dead = { changeId: 1n, recordId: idOfBook, attempts: 12, dueAt: null }
      await database.prisma.webhookEvent.create({ data: { ...dead, webhookId: rawId('Webhook', id) } })
      return id
    }),
    input: (name) => ({ webhookId: preparedId(name) }),
    count: () => database.prisma.webhookEvent.count({ where: { dueAt: { not: null } } }),
    logged: [],
  },
  {
    name: 'checkImport',
    selected: 'importJob { id state }',
    prepare: each(makeUpload),
    input: (name) => ({ id: preparedId(name) }),
    count: () => database.prisma.importJob.count({ where: { state: 'checking' } }),
    logged: [],
  },
  {
    name: 'startImport',
    selected: 'importJob { id state }',
    prepare: each(makeUpload),
    input: (name) => ({ id: preparedId(name) }),
    count: () => database.prisma.importJob.count({ where: { state: 'running' } }),
    logged: [],
  },
  {
    name: 'cancelImport',
    selected: 'importJob { id state }',
    prepare: each(makeUpload),
    input: (name) => ({ id: preparedId(name) }),
    count: () => database.prisma.importJob.count({ where: { state: 'canceled' } }),
    logged: [],
  },
  {
    name: 'eraseSubscriber',
    selected: 'erasedCount',
    prepare: each(async (name) => {
      const accountId = `0199c0de-0000-7000-8000-d0000000001${name === 'one' ? 1 : 2}`
      const id = await makeSubscription(0, accountId)
      await mutate(server, 'cancelSubscription', { id, at: { moment: 'NOW' } }, 'subscription { id }')
      return accountId
    }),
    input: (name) => ({ accountId: preparedId(name) }),
    count: () => database.prisma.subscription.count({ where: { erasedAt: { not: null } } }),
    logged: ['updated'],
  },
  {
    name: 'migrateSubscriptions',
    selected: 'migration { moved { subscription { id } at } }',
    prepare: each(async () => {
      const id = await makeSubscription()
      const { offeringId } = await database.prisma.subscription.findUniqueOrThrow({
        where: { id: rawId('AccountSubscription', id) },
      })
      const planIds = [await made('createPlan', 'plan', plan), await made('createPlan', 'plan', plan)]
      await mutate(server, 'updateOffering', { id: offeringId, planIds }, 'offering { id }')
      return planIds[0] as string
    }),
    input: (name) => ({ to: { planId: preparedId(name) } }),
    count: async () =>
      (await agreements()).flatMap(({ changes }) => changes).filter(({ type }) => type === 'change').length,
    logged: ['updated'],
  },
]

const agreements = async () =>
  (await database.prisma.subscription.findMany()).map(({ agreement }) => agreement as unknown as Agreement)

/**
 * What is done to a subscription has both guards. It is open to shoppers, who are refused other accounts
 * (right.shoppers-see-published-and-own).
 */
const onSubscriptions: readonly Create[] = [
  ...['pause', 'cancel', 'resume'].map((action) => ({
    name: `${action}Subscription`,
    prepare: each(async () => {
      const id = await makeSubscription()
      if (action === 'resume') await mutate(server, 'pauseSubscription', { id }, 'subscription { id }')
      return id
    }),
    input: (name: string) => ({ id: preparedId(name) }),
    count: () => database.prisma.subscriptionState.count({ where: { action } }),
  })),
  {
    name: 'updateSubscription',
    prepare: each(() => makeSubscription()),
    input: (name: string) => ({ id: preparedId(name), email: 'ada@example.org' }),
    count: () => database.prisma.subscription.count({ where: { subscriberEmail: 'ada@example.org' } }),
  },
  {
    name: 'changeSubscription',
    prepare: each(async (name) => {
      const id = await makeSubscription()
      const { subscription } = (await server.gql(`{ subscription(id: "${id}") { plan { current { id } } } }`)).data
      prepared.set(`plan of ${name}`, subscription.plan.current.id)
      return id
    }),
    input: (name: string) => ({ id: preparedId(name), planId: preparedId(`plan of ${name}`) }),
    count: async () => (await agreements()).filter(({ changes: [change] }) => change?.type === 'change').length,
  },
  ...[true, false].map((suspended) => ({
    name: suspended ? 'suspendSubscription' : 'unsuspendSubscription',
    prepare: each(async () => {
      const id = await makeSubscription()
      if (!suspended) await mutate(server, 'suspendSubscription', { id }, 'subscription { id }')
      return id
    }),
    input: (name: string) => ({ id: preparedId(name) }),
    count: () => database.prisma.subscription.count({ where: { suspended } }),
  })),
  {
    name: 'moveTrialEnd',
    prepare: each(() => makeSubscription(10)),
    input: (name: string) => ({ id: preparedId(name), trialEndsAt: '2026-03-01T00:00:00Z' }),
    count: async () => (await agreements()).filter(({ changes: [move] }) => move?.type === 'trial').length,
  },
  {
    name: 'undoScheduledChange',
    prepare: each(async (name) => {
      const id = await makeSubscription()
      const paused = await mutate(server, 'pauseSubscription', { id }, 'subscription { scheduledChanges { key } }')
      prepared.set(`change of ${name}`, paused.subscription.scheduledChanges[0].key)
      return id
    }),
    input: (name: string) => ({ id: preparedId(name), changeKey: preparedId(`change of ${name}`) }),
    count: async () => (await agreements()).filter(({ changes: [pause] }) => pause && pause.undoneAt !== null).length,
  },
].map((one) => ({ ...one, selected: 'subscription { id paused canceled updatedAt }', logged: ['updated'] }))

beforeEach(async () => {
  await reset(database)
  server.now = START
  const ctx = contextOf(server.services, START)
  book = (await makeBook(ctx, 'Book')).id
  price = (await makePrice(ctx, book, 'OTHER')).id
})

describe.each([...creates, ...onSubscriptions])(
  'write.idempotency-key: the idempotency key of $name',
  ({ name, selected, input, prepare, count, logged = ['created'] }) => {
    beforeEach(() => prepare?.('one', 'two'))

    const call = (of: string, idempotencyKey: string | null, token?: string) =>
      mutate(server, name, { ...input(of), idempotencyKey }, selected, token === undefined ? {} : { token })

    it(`history.entry-for-every-write: an idempotency key of ${name} returns the first result again, later and from another server after a restart, and writes nothing`, async () => {
      await newEntries()
      const first = await call('one', 'k')
      expect(first.userErrors).toEqual([])
      expect((await newEntries(name)).map(kindOf)).toEqual(logged)
      expect(await count()).toBe(1)
      server.now += 23 * 3_600_000
      const token = (await server.issue({ subject: 'admin', role: 'admin' }, server.now)).token
      expect(await call('one', 'k', token)).toEqual(first)
      const restarted = await startTestServer(database)
      expect(await mutate(restarted, name, { ...input('one'), idempotencyKey: 'k' }, selected)).toEqual(first)
      await restarted.stop()
      expect(await count()).toBe(1)
      expect(await newEntries()).toEqual([])
    })

    it(`of simultaneous calls of ${name} with one idempotency key one writes and all get its result`, async () => {
      const responses = await Promise.all(Array.from({ length: 12 }, () => call('one', 'k')))
      expect(responses[0].userErrors).toEqual([])
      for (const response of responses) expect(response).toEqual(responses[0])
      expect(await count()).toBe(1)
    })

    it(`history.entry-for-every-write: an idempotency key of ${name} is refused with another input, and keys of subjects are separate`, async () => {
      await call('one', 'k')
      const refused = await call('two', 'k')
      expect(refused.userErrors).toEqual([
        { code: 'IDEMPOTENCY_MISMATCH', path: ['idempotencyKey'], message: 'the key was used with another input' },
      ])
      expect(await count()).toBe(1)
      const bob = (await server.issue({ subject: 'bob', role: 'admin' }, START)).token
      await newEntries()
      const second = await call('two', 'k', bob)
      const isRefused = name === 'addSale'
      expect((await newEntries(name, 'bob')).map(kindOf)).toEqual(isRefused ? [] : logged)
      expect(second.userErrors.map(({ code }: { code: string }) => code)).toEqual(
        isRefused ? ['SALE_SCHEDULE_DUPLICATE'] : [],
      )
    })

    it(`an idempotency key of ${name} must be 1 to 255 characters`, async () => {
      expect((await call('one', '')).userErrors).toMatchObject([{ code: 'TOO_SHORT', path: ['idempotencyKey'] }])
      for (const key of ['\0', '\ud800'])
        expect((await call('one', key)).userErrors).toMatchObject([{ code: 'INVALID_TEXT', path: ['idempotencyKey'] }])
      expect((await call('one', 'k'.repeat(256))).userErrors).toMatchObject([
        { code: 'TOO_LONG', path: ['idempotencyKey'] },
      ])
      expect(await count()).toBe(0)
      expect((await call('one', 'k'.repeat(255))).userErrors).toEqual([])
    })
  },
)

it('write.idempotency-key: the idempotency key of a failed call can be used again', async () => {
  const refused = await mutate(server, 'createPriceBook', { name: '', idempotencyKey: 'k' }, 'priceBook { id }')
  expect(refused).toMatchObject({ priceBook: null, userErrors: [{ code: 'TOO_SHORT', path: ['name'] }] })
  const made = await mutate(server, 'createPriceBook', { name: 'Fine', idempotencyKey: 'k' }, 'priceBook { name }')
  expect(made).toEqual({ priceBook: { name: 'Fine' }, userErrors: [] })
})

interface Change {
  /** The payload's field, and its selection. */
  readonly noun: string
  readonly selected?: Readonly<Record<string, string>>
  readonly update: string
  readonly remove: string
  /** A change that is fine. */
  readonly change: object
  readonly create: () => Promise<string>
  /** Further mutations that change it, each with the input that does so when they run in this order. */
  readonly more?: Readonly<Record<string, (id: string) => object>>
}

const changes: readonly Change[] = [
  {
    noun: 'priceBook',
    update: 'updatePriceBook',
    remove: 'deletePriceBook',
    change: { description: 'new' },
    create: () => made('createPriceBook', 'priceBook', { name: 'One' }),
  },
  {
    noun: 'productPrice',
    update: 'updateProductPrice',
    remove: 'deleteProductPrice',
    change: { externalRef: 'new' },
    create: () => made('addProductPrice', 'productPrice', { priceBookId: book, sku: 'A', prices: [] }),
  },
  {
    noun: 'sale',
    update: 'updateSale',
    remove: 'removeSale',
    change: { name: 'new' },
    create: () => made('addSale', 'sale', { productPriceId: price, name: 'One' }),
  },
  {
    noun: 'subscriptionProduct',
    update: 'updateSubscriptionProduct',
    remove: 'deleteSubscriptionProduct',
    change: { description: 'new' },
    create: () => made('createSubscriptionProduct', 'subscriptionProduct', { name: 'One' }),
  },
  {
    noun: 'plan',
    update: 'updatePlan',
    remove: 'deletePlan',
    change: { description: 'new' },
    create: () => made('createPlan', 'plan', plan),
  },
  {
    noun: 'offering',
    update: 'updateOffering',
    remove: 'deleteOffering',
    change: { description: 'new' },
    create: () => made('createOffering', 'offering', { name: 'One' }),
  },
  {
    noun: 'priceModifier',
    update: 'updatePriceModifier',
    remove: 'deletePriceModifier',
    change: { externalRef: 'new' },
    create: () => makeModifier('One'),
  },
  {
    noun: 'product',
    update: 'updateProduct',
    remove: 'deleteProduct',
    change: { description: 'new' },
    create: () => makeProduct('One'),
  },
  {
    noun: 'hierarchy',
    update: 'updateHierarchy',
    remove: 'deleteHierarchy',
    change: { description: 'new' },
    create: () => makeHierarchy('One'),
  },
  {
    noun: 'node',
    update: 'updateNode',
    remove: 'deleteNode',
    change: { description: 'new' },
    create: async () => {
      await each(makeHierarchy)('elsewhere')
      await each(makeProduct)('mug')
      return makeNode('One')
    },
    more: {
      moveNode: (id) => ({ id, parentId: preparedId('elsewhere') }),
      attachProducts: (nodeId) => ({ nodeId, productIds: [preparedId('mug')] }),
      curateProducts: (nodeId) => ({ nodeId, productIds: [preparedId('mug')] }),
      detachProducts: (nodeId) => ({ nodeId, productIds: [preparedId('mug')] }),
    },
  },
  {
    noun: 'catalog',
    selected: {
      updateCatalog: 'catalog { id settings { updatedAt } }',
      deleteCatalog: 'settings { catalog { id } updatedAt }',
    },
    update: 'updateCatalog',
    remove: 'deleteCatalog',
    change: { description: 'new' },
    create: () => makeCatalog('One'),
  },
  {
    noun: 'catalogRule',
    update: 'updateCatalogRule',
    remove: 'deleteCatalogRule',
    change: { channels: ['web'] },
    create: async () => made('createCatalogRule', 'catalogRule', { name: 'One', catalogId: await makeCatalog('Shop') }),
  },
  {
    noun: 'webhook',
    update: 'updateWebhook',
    remove: 'deleteWebhook',
    change: { description: 'new' },
    create: () => makeWebhook('One'),
  },
]

describe.each(changes)(
  'write.if-updated-at: ifUpdatedAt of $update and $remove',
  ({ noun, selected = {}, update, remove, change, create, more = {} }) => {
    const seen = '2026-01-15T12:00:00.000Z'
    const stale = [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }]
    /** The record's id and updatedAt beside the userErrors. */
    const run = async (name: string, input: object, token?: string) => {
      const response = await mutate(
        server,
        name,
        input,
        selected[name] ?? `${noun} { id updatedAt }`,
        token === undefined ? {} : { token },
      )
      if (response.errors) return response
      const { userErrors, ...payload } = response
      const [found] = Object.values<{ id?: string; catalog?: object; settings?: object } | null>(payload)
      const { catalog, settings, ...record } = found ?? {}
      return { record: found && { ...record, ...catalog, ...settings }, userErrors }
    }
    const inputs = (id: string): (readonly [string, object])[] => [
      [update, { id, ...change }],
      ...Object.entries(more).map(([name, input]) => [name, input(id)] as const),
      [remove, { id }],
    ]
    const exists = async (id: string) =>
      (await server.gql(`query ($id: ID!) { node(id: $id) { id } }`, { id })).data.node !== null

    it(`history.entry-for-every-write: ${update} and ${remove} succeed with the latest updatedAt as ifUpdatedAt, and return the current state otherwise`, async () => {
      const id = await create()
      const logged = noun === 'sale' ? price : parseGlobalId(id)?.id
      /** Record, operation and kind of the new entries. */
      const written = async (by: string) => (await newEntries(by)).map((entry) => [entry.recordId, by, kindOf(entry)])
      await newEntries()
      server.now += 1_000
      const changed = await run(update, { id, ...change, ifUpdatedAt: seen })
      const current = { id, updatedAt: '2026-01-15T12:00:01.000Z' }
      expect(changed).toEqual({ record: current, userErrors: [] })
      expect(await written(update)).toEqual([[logged, update, 'updated']])
      for (const [name, input] of inputs(id)) {
        expect([name, await run(name, { ...input, ifUpdatedAt: seen })]).toEqual([
          name,
          { record: current, userErrors: stale },
        ])
      }
      expect(await run(update, { id, ifUpdatedAt: current.updatedAt })).toEqual({ record: current, userErrors: [] })
      expect(await newEntries()).toEqual([])
      for (const [name, input] of inputs(id).slice(1)) {
        const last = current.updatedAt
        server.now += 1_000
        if (name !== remove) current.updatedAt = new Date(server.now).toISOString()
        expect([name, await run(name, { ...input, ifUpdatedAt: last })]).toEqual([
          name,
          { record: current, userErrors: [] },
        ])
        expect(await written(name)).toEqual([
          [logged, name, name === remove && noun !== 'sale' ? 'deleted' : 'updated'],
        ])
      }
      expect(await exists(id)).toBe(false)
      for (const [given, code] of [
        [id, 'NOT_FOUND'],
        ['x', 'INVALID_FORMAT'],
      ] as const) {
        for (const [name, input] of inputs(given)) {
          const path = Object.keys(input).filter((member) => ['id', 'nodeId'].includes(member))
          expect([name, await run(name, input)]).toMatchObject([name, { record: null, userErrors: [{ code, path }] }])
        }
      }
    })

    it(`of 10 calls with the same ifUpdatedAt one succeeds, for ${update} and ${remove}`, async () => {
      const id = await create()
      const responses = await Promise.all(
        Array.from({ length: 10 }, () => run(update, { id, ...change, ifUpdatedAt: seen })),
      )
      expect(responses.filter(({ userErrors }) => userErrors.length === 0)).toHaveLength(1)
      for (const { userErrors } of responses) if (userErrors.length > 0) expect(userErrors).toEqual(stale)
    })

    it(`right.shoppers-see-published-and-own: ${update} and ${remove} are refused to a shopper`, async () => {
      const id = await create()
      for (const [name, input] of inputs(id))
        expect((await run(name, input, server.shopper)).errors?.[0].extensions.code, name).toBe('FORBIDDEN')
      expect(await exists(id)).toBe(true)
    })
  },
)

it.each(onSubscriptions)(
  'write.if-updated-at: $name succeeds with the latest updatedAt as ifUpdatedAt, and returns the current state otherwise',
  async ({ name, selected, input, prepare, count }) => {
    await prepare?.('one')
    const { updatedAt } = await database.prisma.subscription.findFirstOrThrow()
    const call = (ifUpdatedAt: Date) =>
      mutate(server, name, { ...input('one'), ifUpdatedAt: ifUpdatedAt.toISOString() }, selected)
    expect(await call(new Date(updatedAt.getTime() - 1))).toMatchObject({
      subscription: { updatedAt: updatedAt.toISOString() },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'] }],
    })
    expect(await count()).toBe(0)
    expect(await call(updatedAt)).toMatchObject({ userErrors: [] })
    expect(await count()).toBe(1)
  },
)

it("write.if-updated-at, history.entry-for-every-write: a release's updatedAt changes when its publish ends, for deleteRelease", async () => {
  const catalogId = await makeCatalog('Shop')
  const { release } = await mutate(server, 'publishRelease', { catalogId }, 'release { id updatedAt publishedAt }')
  const later = (instant: string) => new Date(Date.parse(instant) + 1).toISOString()
  expect(release.updatedAt).toBe(later(release.publishedAt))
  const begun = {
    id: '0199c0de-0000-7000-8000-000000000001',
    sequence: 2,
    status: 'publishing',
    startedAt: new Date(START + 5_000),
  }
  await database.prisma.release.create({ data: { ...begun, catalogId: rawId('Catalog', catalogId), hierarchyIds: [] } })
  const failed = { id: globalId('Release', begun.id), updatedAt: later(begun.startedAt.toISOString()) }
  const running = (await server.gql(`query ($id: ID!) { release(id: $id) { status updatedAt } }`, { id: failed.id }))
    .data.release
  expect(running).toEqual({ status: 'PUBLISHING', updatedAt: begun.startedAt.toISOString() })
  await database.prisma.release.update({ where: { id: begun.id }, data: { status: 'failed' } })
  // Who saw it running did not see it fail.
  expect(
    await mutate(server, 'deleteRelease', { releaseId: failed.id, ifUpdatedAt: running.updatedAt }, 'release { id }'),
  ).toMatchObject({
    userErrors: [{ code: 'STALE' }],
  })
  await newEntries()
  for (const { id, updatedAt } of [release, failed]) {
    const remove = (ifUpdatedAt: string) =>
      mutate(server, 'deleteRelease', { releaseId: id, ifUpdatedAt }, 'release { id updatedAt }')
    expect(await remove('2026-01-15T11:59:59.999Z')).toMatchObject({
      release: { id, updatedAt },
      userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'] }],
    })
    const read = async () =>
      (await server.gql(`query ($id: ID!) { release(id: $id) { id updatedAt } }`, { id })).data.release
    expect(await read()).toEqual({ id, updatedAt })
    expect(await remove(updatedAt)).toEqual({ release: { id, updatedAt }, userErrors: [] })
    if (id === release.id) expect((await newEntries('deleteRelease')).map(kindOf)).toEqual(['deleted'])
    expect(await read()).toBeNull()
  }
})

it('write.if-updated-at, history.entry-for-every-write: updateRelease succeeds with the latest updatedAt as ifUpdatedAt, and returns the current state otherwise', async () => {
  const catalogId = await makeCatalog('Shop')
  const { release } = await mutate(server, 'publishRelease', { catalogId }, 'release { id updatedAt }')
  await newEntries()
  server.now += 1_000
  const named = { id: release.id, name: 'Spring', updatedAt: new Date(server.now).toISOString() }
  const call = (name: string, ifUpdatedAt: string) =>
    mutate(server, 'updateRelease', { id: release.id, name, ifUpdatedAt }, 'release { id name updatedAt }')
  expect(await call('Spring', release.updatedAt)).toEqual({ release: named, userErrors: [] })
  expect((await newEntries('updateRelease')).map(kindOf)).toEqual(['updated'])
  expect(await call('Summer', release.updatedAt)).toEqual({
    release: named,
    userErrors: [{ code: 'STALE', path: ['ifUpdatedAt'], message: 'the record has changed since' }],
  })
  expect(await newEntries()).toEqual([])
  expect(
    await mutate(
      server,
      'deleteRelease',
      { releaseId: release.id, ifUpdatedAt: release.updatedAt },
      'release { id name updatedAt }',
    ),
  ).toMatchObject({ release: named, userErrors: [{ code: 'STALE' }] })
})

describe('write.idempotency-key: every mutation of schema.graphql', () => {
  const schema = buildSchema(readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'))
  /** A campaign has a guard for each row, and the same call again changes nothing (campaign.repeat-changes-nothing). */
  const campaigns = ['addSales', 'endSales', 'removeSales']
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(
    ({ name }) => !campaigns.includes(name),
  )
  const keyed = /^(add|build|cancel|check|create|erase|migrate|publish|restore|retry|rotate|start|upsert|withdraw)[A-Z]/
  const guarded = /^(attach|curate|delete|detach|move|remove|update)[A-Z]/
  const onSubscription = onSubscriptions.map(({ name }) => name)

  it('every mutation of schema.graphql has the guard of its verb, and no other', () => {
    expect(mutations.length).toBeGreaterThan(40)
    for (const { name, args } of mutations) {
      const members = Object.keys((getNamedType(args[0]?.type) as GraphQLInputObjectType).getFields())
      const guards = members.filter((member) => ['idempotencyKey', 'ifUpdatedAt'].includes(member))
      const assigned = onSubscription.includes(name)
        ? ['idempotencyKey', 'ifUpdatedAt']
        : [...(keyed.test(name) ? ['idempotencyKey'] : []), ...(guarded.test(name) ? ['ifUpdatedAt'] : [])]
      expect([name, guards.sort()]).toEqual([name, assigned])
      expect(guards.length).toBeGreaterThan(0)
    }
  })

  it('every mutation of schema.graphql is tested above', () => {
    const tried = [
      ...[...creates, ...onSubscriptions].map(({ name }) => name),
      ...changes.flatMap(({ update, remove, more = {} }) => [update, ...Object.keys(more), remove]),
      'updateRelease',
      'deleteRelease',
    ]
    expect(tried.sort()).toEqual(mutations.map(({ name }) => name).sort())
  })
})

it('right.shoppers-see-published-and-own: mutations that create are refused to a shopper', async () => {
  for (const { name, selected, prepare, input, count } of creates) {
    await prepare?.('one')
    const refused = await mutate(server, name, input('one'), selected, { token: server.shopper })
    expect([name, refused.errors[0].extensions.code, await count()]).toEqual([name, 'FORBIDDEN', 0])
  }
})
