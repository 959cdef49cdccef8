/**
 * Hidden store: the demo store, and a record of every kind that shoppers must not see, with HIDDEN in all its texts.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../src/config/project-root.ts'
import { deleteRelease, publishRelease } from '../../src/operations/catalog/release.ts'
import { createContext } from '../../src/request/context.ts'
import { runImport } from './import.ts'
import { publish } from './published.ts'
import type { TestServer } from './server.ts'

export const hidden = (number: number): string => `dead0000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const demo = (kind: string, number = 1): string =>
  `c0ffee00-00${kind}-4000-8000-${number.toString(16).padStart(12, '0')}`

export const seen = {
  catalog: demo('09'),
  hierarchy: demo('07'),
  book: demo('01'),
  offering: demo('0d'),
  plan: demo('0c'),
  subscriptionProduct: demo('0b'),
  ownAccount: demo('ac'),
  otherAccount: hidden(0xacc),
}

const ref = (type: string, id: string) => ({ data: { type, id } })
const refs = (...ids: string[]) => ({ data: ids.map((id) => ({ type: 'product', id })) })
const currencies = { USD: { amount: 66_600, includes_tax: false } }

/** The records that were never published. */
const objects = [
  {
    type: 'pricebook',
    id: hidden(1),
    attributes: { name: 'HIDDEN book', description: 'HIDDEN', external_ref: 'HIDDEN-book' },
  },
  {
    type: 'product-price',
    id: hidden(2),
    pricebook_id: hidden(1),
    attributes: { sku: 'HIDDEN-SKU', external_ref: 'HIDDEN-price', currencies, admin_attributes: { HIDDEN: 'HIDDEN' } },
  },
  {
    type: 'product-price',
    pricebook_id: seen.book,
    attributes: { sku: 'ETH-YIRG', currencies: {}, admin_attributes: { margin: 'HIDDEN margin' } },
  },
  {
    type: 'price-modifier',
    id: hidden(3),
    pricebook_id: hidden(1),
    attributes: { name: 'HIDDEN modifier', modifier_type: 'price_equals', currencies },
  },
  {
    type: 'product',
    id: hidden(4),
    attributes: {
      name: 'HIDDEN draft',
      sku: 'HIDDEN-DRAFT',
      slug: 'HIDDEN-draft',
      tags: ['hidden'],
      description: 'HIDDEN',
    },
  },
  { type: 'product', id: hidden(5), attributes: { name: 'HIDDEN loose', sku: 'HIDDEN-LOOSE', status: 'live' } },
  {
    type: 'product',
    id: hidden(6),
    attributes: { name: 'HIDDEN old', sku: 'HIDDEN-OLD', slug: 'HIDDEN-old', status: 'live', tags: ['hidden'] },
  },
  {
    type: 'node',
    id: hidden(7),
    attributes: { name: 'Open node' },
    relationships: { parent: ref('hierarchy', seen.hierarchy), products: refs(hidden(4)) },
  },
  {
    type: 'label',
    id: hidden(0x1a),
    attributes: { kind: 'sale', key: 'HIDDEN sale', locales: { de: { name: 'HIDDEN' } } },
  },
  { type: 'hierarchy', id: hidden(8), attributes: { name: 'HIDDEN hierarchy', description: 'HIDDEN' } },
  {
    type: 'node',
    id: hidden(9),
    attributes: { name: 'HIDDEN node' },
    relationships: { parent: ref('hierarchy', hidden(8)), products: refs(hidden(5)) },
  },
  {
    type: 'catalog',
    id: hidden(10),
    attributes: {
      name: 'HIDDEN catalog',
      description: 'HIDDEN',
      hierarchy_ids: [hidden(8)],
      pricebook_ids: [{ id: hidden(1), priority: 1 }],
    },
  },
  {
    type: 'catalog_rule',
    id: hidden(11),
    attributes: { name: 'HIDDEN rule', catalog_id: seen.catalog, channels: ['HIDDEN channel'] },
  },
]

/** The store and its viewers. */
export interface HiddenStore {
  /** The token of a shopper with an account. */
  readonly shopper: string
  readonly deletedRelease: string
  readonly subscription: { readonly own: string; readonly other: string }
}

/** Fills the database of the server. */
export async function insertHiddenStore(server: TestServer): Promise<HiddenStore> {
  const imported = await runImport(server.services, readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))
  const added = await runImport(server.services, objects)
  if (!imported.fine || !added.fine) throw new Error([...imported.refused, ...added.refused].join('\n'))

  const attach = (products: string[]) =>
    runImport(server.services, [
      { ...objects[7], relationships: { parent: ref('hierarchy', seen.hierarchy), products: refs(...products) } },
    ])
  await attach([hidden(4), hidden(6)])
  const { id: deletedRelease } = await publish(server, seen.catalog)
  await attach([hidden(4)])
  await publish(server, seen.catalog)
  const texts = { name: 'HIDDEN edited', description: 'HIDDEN' }
  const edited = await runImport(server.services, [
    { type: 'catalog', id: seen.catalog, attributes: { ...texts, locales: { de: texts, en: texts } } },
  ])
  if (!edited.fine) throw new Error(edited.refused.join('\n'))
  const viewer = {
    subject: 'admin',
    role: 'admin',
    accountId: null,
    channel: null,
    tags: [],
    expiresAt: Number.MAX_SAFE_INTEGER,
  } as const
  const ctx = createContext(server.services, { viewer, now: server.now, requestId: 'test' })
  await deleteRelease(ctx, { releaseId: deletedRelease })
  // The draft of the open catalog has its hidden texts.
  await publishRelease(ctx, { catalogId: seen.catalog, dryRun: true })

  const subscribe = async (accountId: string, text: string): Promise<string> => {
    const payment = { type: 'platform_payments_gateway', customer_id: `${text} customer`, card_id: `${text} card` }
    const reply = await server.rest('POST', '/v2/subscriptions/subscriptions', {
      body: {
        data: {
          account_id: accountId,
          offering_id: seen.offering,
          plan_id: seen.plan,
          currency: 'USD',
          name: `${text} name`,
          email: `${text}@example.com`,
          external_ref: `${text}-ref`,
          payment_authority: payment,
        },
      },
    })
    if (reply.status !== 201) throw new Error(reply.text)
    return reply.body.data.id
  }
  const subscription = {
    own: await subscribe(seen.ownAccount, 'Mine'),
    other: await subscribe(seen.otherAccount, 'HIDDEN'),
  }
  const { token: shopper } = await server.issue(
    { subject: 'shopper', role: 'shopper', accountId: seen.ownAccount },
    server.now,
  )
  return { shopper, deletedRelease, subscription }
}
