/**
 * Full store: few products that use every feature of a listing. Ids are numbered by kind, so that responses are
 * readable.
 */
import { idOf } from './products.ts'
import type { Store, StoreProduct } from './store.ts'

/** The instant of an RFC 3339 text, in epoch milliseconds. */
export const at = (text: string): number => Date.parse(text)

export const ids = {
  catalog: idOf(0xca),
  hierarchy: idOf(0x11),
  otherHierarchy: idOf(0x12),
  machines: idOf(0x21),
  espresso: idOf(0x22),
  clothes: idOf(0x23),
  sale: idOf(0x24),
  book: idOf(0xb1),
  premium: idOf(0xb2),
  machine: idOf(0x101),
  shirt: idOf(0x102),
  redSmall: idOf(0x103),
  redLarge: idOf(0x104),
  blueSmall: idOf(0x105),
  draftChild: idOf(0x106),
  beans: idOf(0x107),
  manual: idOf(0x108),
  breakfast: idOf(0x109),
  starter: idOf(0x10a),
  gift: idOf(0x10b),
  cup: idOf(0x10c),
  unknown: idOf(0x1ff),
  small: idOf(0x301),
  large: idOf(0x302),
  red: idOf(0x303),
  blue: idOf(0x304),
  never: idOf(0x305),
}

const day = (number: number): number => at(`2026-01-${String(number).padStart(2, '0')}T00:00:00Z`)

/** `updated` orders the listing: the highest comes first. */
function product(id: string, name: string, updated: number, given: Partial<StoreProduct> = {}): StoreProduct {
  const slug = name.toLowerCase().replaceAll(' ', '-')
  return { id, name, slug, status: 'live', created_at: day(1), updated_at: day(1) + updated, ...given }
}

const products: StoreProduct[] = [
  product(ids.machine, 'Espresso machine', 90, {
    description: 'Makes espresso.',
    sku: 'MACHINE',
    commodity_type: 'physical',
    upc_ean: '0012345678905',
    manufacturer_part_num: 'EM-9',
    tags: ['coffee', 'kitchen'],
    external_ref: 'erp-1',
    custom_inputs: {
      engraving: {
        name: 'Engraving',
        validation_rules: [{ type: 'string', options: { max_length: 20 } }],
        required: false,
      },
    },
    extensions: { 'products(technical)': { watts: 1450, colours: ['black', 'steel'], boiler: null } },
    locales: {
      'de-CH': { name: 'Espressomaschine', description: 'Macht Espresso.' },
      fr: { name: 'Machine à expresso' },
    },
    files: [
      {
        ...{ id: idOf(0xf1), created_at: '2025-12-01T10:00:00.000Z', alt: 'Steel', width: 1600, height: 900 },
        locales: { 'de-CH': { alt: 'Stahl' } },
      },
    ],
    main_image_id: idOf(0xf2),
  }),
  product(ids.shirt, 'Barista shirt', 80, {
    sku: 'SHIRT',
    tags: ['clothes'],
    variations: [
      {
        id: idOf(0x311),
        name: 'Size',
        sort_order: 1,
        locales: { 'de-CH': { name: 'Grösse' } },
        options: [
          {
            ...{ id: ids.small, name: 'Small', sort_order: 1, description: 'Up to 48' },
            locales: { de: { name: 'Klein', description: 'Bis 48' }, 'de-CH': { name: 'Chly' } },
          },
          { id: ids.large, name: 'Large', sort_order: 2, description: null, price_modifiers: ['large'] },
        ],
      },
      {
        id: idOf(0x312),
        name: 'Colour',
        sort_order: 2,
        options: [
          { id: ids.red, name: 'Red', sort_order: null, price_modifiers: ['dyed', 'unknown'] },
          { id: ids.blue, name: 'Blue', sort_order: 5, price_modifiers: ['fixed'] },
          { id: ids.never, name: 'Green', sort_order: 4 },
        ],
      },
    ],
    build_rules: { default: 'include', include: [], exclude: [[ids.never]] },
  }),
  product(ids.redSmall, 'Shirt red S', 79, {
    sku: 'SHIRT-RED-S',
    parent_id: ids.shirt,
    option_ids: [ids.small, ids.red],
  }),
  product(ids.redLarge, 'Shirt red L', 78, { parent_id: ids.shirt, option_ids: [ids.red, ids.large] }),
  product(ids.blueSmall, 'Shirt blue S', 77, {
    sku: 'SHIRT-BLUE-S',
    parent_id: ids.shirt,
    option_ids: [ids.small, ids.blue],
  }),
  product(ids.draftChild, 'Shirt blue L', 76, {
    parent_id: ids.shirt,
    option_ids: [ids.large, ids.blue],
    status: 'draft',
  }),
  product(ids.beans, 'Coffee beans', 70, { sku: 'BEANS', tags: ['coffee'] }),
  product(ids.manual, 'Manual', 60, { commodity_type: 'digital' }),
  // A live option that is attached to no node (bundle.live-options-only).
  product(ids.cup, 'Cup', 50, { sku: 'CUP' }),
  product(ids.breakfast, 'Breakfast', 40, {
    components: {
      coffee: {
        name: 'Coffee',
        min: 1,
        max: 2,
        sort_order: 1,
        options: [
          { id: ids.beans, type: 'product', quantity: 2, sort_order: 2, default: true },
          { id: ids.unknown, type: 'product', quantity: 1, sort_order: null, default: null },
        ],
      },
      cup: {
        name: 'Cup',
        min: 1,
        max: 1,
        sort_order: null,
        options: [{ id: ids.cup, quantity: 6, sort_order: null, default: null }],
      },
    },
  }),
  product(ids.starter, 'Starter set', 30, {
    components: {
      machine: { name: 'Machine', min: 1, max: 1, options: [{ id: ids.machine, quantity: 1, default: true }] },
      clothes: { name: 'Clothes', min: null, max: null, options: [{ id: ids.redLarge, quantity: 1, default: true }] },
      morning: { name: 'Morning', min: 1, max: 1, options: [{ id: ids.breakfast, quantity: 1 }] },
    },
  }),
  product(ids.gift, 'Gift box', 20, {
    sku: 'GIFT',
    components: {
      any: {
        name: 'Anything',
        min: 0,
        max: 1,
        options: [
          { id: ids.machine, quantity: 1 },
          { id: ids.manual, quantity: 1 },
        ],
      },
    },
  }),
]

const nodes: Store['nodes'] = [
  { id: ids.hierarchy, parent_id: null, name: 'Shop', slug: 'shop', updated_at: day(2) },
  {
    id: ids.machines,
    parent_id: ids.hierarchy,
    name: 'Machines',
    slug: 'machines',
    updated_at: day(3),
    description: 'All machines',
  },
  {
    id: ids.espresso,
    parent_id: ids.machines,
    name: 'Espresso',
    slug: 'espresso',
    updated_at: day(5),
    label: 'new',
    sort_order: 3,
    locales: { de: { name: 'Espresso und mehr' } },
    curated_product_ids: [ids.manual, ids.draftChild, ids.machine],
  },
  { id: ids.clothes, parent_id: ids.hierarchy, name: 'Clothes', slug: 'clothes', updated_at: day(4) },
  { id: ids.otherHierarchy, parent_id: null, name: 'Offers', slug: 'offers', updated_at: day(2) },
  { id: ids.sale, parent_id: ids.otherHierarchy, name: 'Sale', slug: 'sale', updated_at: day(6) },
].map((node) => ({
  created_at: day(1),
  hierarchy_id: [ids.otherHierarchy, ids.sale].includes(node.id) ? ids.otherHierarchy : ids.hierarchy,
  ...node,
}))

const attachments = [
  [ids.espresso, ids.machine],
  [ids.espresso, ids.manual],
  [ids.machines, ids.machine],
  [ids.clothes, ids.shirt],
  [ids.clothes, ids.redSmall],
  [ids.sale, ids.machine],
  [ids.espresso, ids.beans],
  [ids.machines, ids.breakfast],
  [ids.machines, ids.starter],
  [ids.sale, ids.gift],
  [ids.clothes, ids.gift],
  [ids.clothes, ids.draftChild],
].map(([node_id = '', product_id = '']) => ({ node_id, product_id }))

const block = (amount: number | null, includes_tax = false, tiers?: Record<string, [number, number | null]>) => ({
  amount,
  includes_tax,
  ...(tiers && {
    tiers: Object.fromEntries(
      Object.entries(tiers).map(([name, [minimum_quantity, price]]) => [name, { minimum_quantity, amount: price }]),
    ),
  }),
})

const price = (number: number, price_book_id: string, sku: string, currencies: object, given: object = {}) => ({
  id: idOf(0x400 + number),
  price_book_id,
  sku,
  currencies,
  sales: [],
  ...given,
})

/** Winter runs from 10 to 20 January 2026, the flash sale within it on the 12th. */
export const winter = { from: day(10), to: day(20) }
export const flash = { from: day(12), to: day(13) }

const prices = [
  price(1, ids.book, 'MACHINE', { USD: block(1, true) }),
  price(
    2,
    ids.premium,
    'MACHINE',
    { USD: block(50000, false, { dozen: [12, 45000], none: [20, null] }), EUR: block(46000, true), GBP: block(null) },
    {
      sales: [
        { name: 'winter', ...winter, bundles: [], currencies: { USD: block(40000, false, { pair: [2, 39000] }) } },
        { name: 'flash', ...flash, bundles: [], currencies: { USD: block(30000), EUR: block(29000, true) } },
        { name: 'set', from: day(1), to: day(31), bundles: [ids.starter], currencies: { USD: block(35000) } },
      ],
      shopper_attributes: { warranty: '2 years', note: null },
      admin_attributes: { margin: 'secret' },
    },
  ),
  price(
    3,
    ids.book,
    'SHIRT',
    { USD: block(3000), EUR: block(2800, true) },
    {
      sales: [{ name: 'always', from: null, to: null, bundles: [], currencies: { USD: block(2500) } }],
    },
  ),
  price(4, ids.book, 'SHIRT-RED-S', { USD: block(2999) }),
  price(5, ids.book, 'BEANS', { USD: block(1200, false, { bulk: [2, 1100] }), EUR: block(1100) }),
  price(6, ids.book, 'CUP', { USD: block(500), EUR: block(450, true) }),
  price(7, ids.premium, 'GIFT', { USD: block(9900) }),
] as unknown as Store['prices']

const modifiers: Store['modifiers'] = [
  {
    id: idOf(0x501),
    price_book_id: ids.book,
    name: 'large',
    modifier_type: 'price_increment',
    currencies: { USD: block(300), EUR: block(250) },
  },
  {
    id: idOf(0x502),
    price_book_id: ids.book,
    name: 'dyed',
    modifier_type: 'price_decrement',
    currencies: { USD: block(100, false, { many: [10, 200] }) },
  },
  {
    id: idOf(0x503),
    price_book_id: ids.book,
    name: 'fixed',
    modifier_type: 'price_equals',
    currencies: { USD: block(2000, true) },
  },
]

/** The store. */
export function fullStore(): Store {
  return structuredClone({
    products,
    nodes,
    attachments,
    books: [
      { id: ids.book, name: 'Standard' },
      { id: ids.premium, name: 'Premium' },
    ],
    prices,
    modifiers,
    catalogs: [
      {
        id: ids.catalog,
        name: 'Coffee store',
        hierarchy_ids: [ids.hierarchy, ids.otherHierarchy],
        books: [
          { id: ids.book, priority: 1 },
          { id: ids.premium, priority: 9 },
        ],
      },
    ],
  })
}
