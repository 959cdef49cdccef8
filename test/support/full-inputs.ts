/**
 * Full inputs: of each mutation that creates, inputs that have every member of the schema between them, for sweeps over
 * the members. Tests compare them with the schema, so a new member must be added here.
 */
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType } from 'graphql'
import { mutate } from './mutations.ts'

/** The ids of records that they name, made by `makeKnown`. */
const known: Record<string, string> = {}
const uuid = (number: number) => `0199c0de-0000-7000-8000-${String(number).padStart(12, '0')}`
const DAY = '2026-01-01T00:00:00Z'
const NEXT = '2026-01-02T00:00:00Z'

/** Inputs of a mutation, valid for each name `n`, which is unique. */
type Inputs = readonly ((n: string) => Record<string, unknown>)[]

const texts = { description: 'd' }
const locales = [{ language: 'de', name: 'Name', description: 'd' }]
const noSeo = { slug: ' ', seoTitle: ' ', seoDescription: ' ' }
const seo = { seoTitle: 's', seoDescription: 's' }
const pageLocales = (slug: string) => [{ language: 'de', name: 'Name', description: 'd', slug: `${slug}-de`, ...seo }]
const amount = { amount: 5, includesTax: true }
const tiered = [{ currency: 'USD', price: { ...amount, tiers: [{ name: 't', minimumQuantity: 2, amount: 4 }] } }]
const schedule = { validFrom: DAY, validTo: NEXT }
const days = { validOn: { from: '2031-01-01', to: '2031-01-02' } }
const bundleIds = [uuid(1)]
const sales = [
  { name: 'sale', schedule, bundleIds, prices: tiered },
  { name: 'days', schedule: days },
]
const attributes = { adminAttributes: [{ key: 'k', value: 'v' }], shopperAttributes: [{ key: 'k', value: 'v' }] }
const option = { sortOrder: 1, description: 'd', priceModifierNames: ['m'], locales }
const file = {
  ...{ key: uuid(4), createdAt: DAY, alt: 'a', width: 2, height: 1 },
  locales: [{ language: 'de', alt: 'a' }],
}
const ifUpdatedAt = '2026-01-15T12:00:00Z'

export const fullInputs: Readonly<Record<string, Inputs>> = {
  createPriceBook: [(n) => ({ name: n, externalRef: n, ...texts })],
  addProductPrice: [(n) => ({ priceBookId: known.book, sku: n, externalRef: n, prices: tiered, sales, ...attributes })],
  upsertProductPrices: [
    (n) => ({
      priceBookId: known.book,
      mode: 'PER_ROW',
      dryRun: true,
      rows: [
        { sku: n, externalRef: n, prices: tiered, sales, ...attributes },
        { sku: 'S', ifUpdatedAt },
      ],
    }),
  ],
  createPriceModifier: [
    (n) => ({ priceBookId: known.book, name: n, type: 'PRICE_EQUALS', externalRef: n, prices: tiered }),
  ],
  addSale: [
    (n) => ({
      productPriceId: known.price,
      name: n,
      schedule: { validFrom: DAY, validTo: NEXT },
      bundleIds,
      prices: tiered,
    }),
    (n) => ({ productPriceId: known.price, name: n, schedule: days }),
  ],
  addSales: [
    { skus: ['S'] },
    { skus: ['S'], schedule: days },
    { rows: [{ sku: 'S', ifUpdatedAt }] },
    { filter: { tags: ['t'], nodeIds: [] } },
  ].map((target) => (n: string) => ({
    ...{
      priceBookId: known.book,
      name: n,
      schedule,
      bundleIds,
      currencies: ['USD'],
      mode: 'PER_ROW',
      dryRun: true,
      ...target,
    },
    ...{ change: { prices: tiered }, rounding: [{ currency: 'USD', to: { step: 5 } }] },
  })),
  createSubscriptionProduct: [
    (n) => ({
      ...{ name: n, externalRef: n, ...texts, sku: n, mainImage: 'https://example.com/a.png' },
      ...{ prices: [{ currency: 'USD', price: amount }], priceUnits: { unit: 'DAY', amount: 1 } },
    }),
  ],
  createPlan: [
    (n) => ({
      ...{
        name: n,
        externalRef: n,
        ...texts,
        billingIntervalType: 'MONTH',
        billingFrequency: 1,
        trialPeriod: 0,
        planLength: 12,
      },
      ...{ endBehavior: 'CLOSE', canPause: true, canResume: true, canCancel: true, basePricePercentage: 50 },
      fixedPrices: [{ currency: 'USD', price: amount }],
    }),
  ],
  createOffering: [
    (n) => ({ name: n, externalRef: n, ...texts, productIds: [known.subscriptionProduct], planIds: [known.plan] }),
  ],
  createSubscription: [
    (n) => ({
      ...{
        externalRef: n,
        accountId: uuid(2),
        offeringId: known.offering,
        planId: known.plan,
        currency: 'USD',
        name: n,
      },
      ...{
        email: 'ada@example.com',
        paymentAuthority: { type: 'PLATFORM_PAYMENTS_GATEWAY', customerRef: 'customer', cardRef: 'card' },
      },
      ...{ items: [{ productId: known.subscriptionProduct, quantity: 2 }], startsAt: '2099-01-01T00:00:00Z' },
      ...{ timeZone: 'Europe/Zurich', billingDay: 31, onlyOne: false, allowUnpriced: true, dryRun: false },
    }),
  ],
  createProduct: [
    (n) => ({
      ...{
        name: n,
        ...texts,
        sku: n,
        slug: n,
        status: 'LIVE',
        commodityType: 'DIGITAL',
        upcEan: n,
        manufacturerPartNum: n,
      },
      ...{ tags: ['t'], externalRef: n, ...seo, locales: pageLocales(n), mainImageId: uuid(3), files: [file] },
      components: [
        {
          ...{ key: 'c', name: 'C', min: 1, max: 1, sortOrder: 1 },
          options: [{ id: known.product, quantity: 2, sortOrder: 1, default: true }],
        },
      ],
      customInputs: [{ key: 'i', name: 'I', required: true, validationRules: [{ options: { maxLength: 5 } }] }],
      extensions: [{ template: 't', fields: [{ key: 'k', value: 1 }] }],
      variations: [
        { key: uuid(5), name: 'Size', sortOrder: 1, locales, options: [{ key: uuid(6), name: 'S', ...option }] },
      ],
      buildRules: { default: 'EXCLUDE', include: [[uuid(6)]], exclude: [[uuid(6)]] },
    }),
    (n) => ({ name: n, parentId: known.product, optionKeys: [uuid(7)] }),
  ],
  createHierarchy: [(n) => ({ name: n, slug: n, ...texts, externalRef: n, ...seo, locales: pageLocales(n) })],
  createNode: [
    (n) => ({
      ...{ name: n, slug: n, ...texts, externalRef: n, ...seo, label: 'l', sortOrder: 1 },
      ...{ locales: pageLocales(n), parentId: known.hierarchy },
      ...{ productIds: [known.product], curatedProductIds: [known.product] },
    }),
  ],
  createCatalog: [
    (n) => ({
      name: n,
      ...texts,
      externalRef: n,
      locales: [{ language: 'de', name: 'Name', description: 'd', ...noSeo }],
      hierarchyIds: [known.hierarchy],
      priceBooks: [{ id: known.book, priority: 1 }],
      confidential: false,
    }),
  ],
  createCatalogRule: [
    (n) => ({
      ...{ name: n, externalRef: n, catalogId: known.catalog, accountIds: [uuid(2)], channels: ['web'], tags: ['t'] },
      schedules: [schedule],
    }),
  ],
  upsertLabels: [(n) => ({ labels: [{ kind: 'SALE', key: n, locales: [{ language: 'de', name: n }] }] })],
  createWebhook: [(n) => ({ url: `https://example.com/${n}`, ...texts, topics: ['PRODUCT'], isEnabled: false })],
}

/** Makes the records that the inputs name. */
export async function makeKnown(server: Parameters<typeof mutate>[0]): Promise<void> {
  const created = async (name: string, field: string, input: object): Promise<string> =>
    (await mutate(server, name, input, `${field} { id }`))[field].id

  known.book = await created('createPriceBook', 'priceBook', { name: 'Book' })
  known.price = await created('addProductPrice', 'productPrice', { priceBookId: known.book, sku: 'S', prices: tiered })
  const variations = [{ name: 'Size', options: [{ key: uuid(7), name: 'S' }] }]
  known.product = await created('createProduct', 'product', { name: 'Thing', variations })
  known.hierarchy = await created('createHierarchy', 'hierarchy', { name: 'Shop' })
  known.catalog = await created('createCatalog', 'catalog', { name: 'Shop', hierarchyIds: [], priceBooks: [] })
  known.subscriptionProduct = await created('createSubscriptionProduct', 'subscriptionProduct', { name: 'Paper' })
  const plan = fullInputs.createPlan?.[0]?.('Plan') as object
  known.plan = await created('createPlan', 'plan', plan)
  known.offering = await created('createOffering', 'offering', {
    name: 'Offering',
    productIds: [known.subscriptionProduct],
    planIds: [known.plan],
  })
}

/** Where a value is in an input. */
export type MemberPath = readonly (string | number)[]

/** A member that an input has. */
export interface GivenMember {
  readonly path: MemberPath
  /** Its place in the schema, such as `SaleInput.name`. */
  readonly place: string
  readonly type: GraphQLInputType
  readonly value: unknown
  readonly isOneOf: boolean
}

/** All members that `value` has of an input of the type, in whatever depth. */
export function membersIn(type: GraphQLInputType, value: unknown, path: MemberPath = []): GivenMember[] {
  const nullable = getNullableType(type)
  if (isListType(nullable))
    return (value as unknown[]).flatMap((item, index) => membersIn(nullable.ofType, item, [...path, index]))
  if (!isInputObjectType(nullable)) return []
  return Object.values(nullable.getFields()).flatMap((field) => {
    const given = (value as Record<string, unknown>)[field.name]
    if (given === undefined) return []
    const at = [...path, field.name]
    const own = {
      path: at,
      place: `${nullable.name}.${field.name}`,
      type: field.type,
      value: given,
      isOneOf: nullable.isOneOf,
    }
    return [own, ...membersIn(field.type, given, at)]
  })
}

/** A copy of `value` with `change` made to the object that holds the member at `path`. */
export function changed(
  value: object,
  path: MemberPath,
  change: (holder: Record<string, unknown>, member: string) => void,
): object {
  const copy = structuredClone(value)
  let holder = copy as Record<string, unknown>
  for (const step of path.slice(0, -1)) holder = holder[step] as Record<string, unknown>
  change(holder, path.at(-1) as string)
  return copy
}
