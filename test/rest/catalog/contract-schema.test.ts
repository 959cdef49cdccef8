/** Negative tests of the JSON Schema by which all tests validate hierarchy listings. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { assertHierarchyListing } from '../../support/contract-schema.ts'
import { ids } from '../../support/full-store.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses are modified in every way
type Any = any

const recorded = readFileSync(new URL('./hierarchy-products.json', import.meta.url), 'utf8')

const node = {
  id: ids.espresso,
  type: 'node',
  attributes: {
    name: 'Espresso',
    slug: 'espresso',
    description: 'All of it',
    label: 'new',
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-05T00:00:00.000Z',
  },
  relationships: { parent: { data: { type: 'node', id: ids.machines } } },
  meta: { bread_crumb: [ids.hierarchy, ids.machines] },
}

/** A listing that uses every feature, with a node; the function spoils one part of it. */
function listing(spoil: (parts: Any) => void = () => {}): Any {
  const body = JSON.parse(recorded)
  body.data.unshift(structuredClone(node))
  const one = (id: string) => body.data.find((item: Any) => item.id === id)
  spoil({
    body,
    node: one(ids.espresso),
    machine: one(ids.machine),
    shirt: one(ids.shirt),
    child: one(ids.redLarge),
    manual: one(ids.manual),
    breakfast: one(ids.breakfast),
    starter: one(ids.starter),
    unit: one(ids.starter).meta.bundle_configuration.component_products[ids.machine],
    modifier: one(ids.redLarge).meta.price_modifiers.large,
    component: one(ids.breakfast).attributes.components.coffee,
  })
  return body
}

type Case = readonly [what: string, spoil: (parts: Any) => void, where: string]

const refused = (cases: readonly Case[]) =>
  it.each(cases)("the listing's schema refuses: %s", (_, spoil, where) => {
    expect(() => assertHierarchyListing(listing(spoil))).toThrow(where)
  })

/** Where items stand: the node, the machine, the shirt, its child, the manual and the bundles. */
const at = (id: string): string => `/data/${listing().data.findIndex((item: Any) => item.id === id)}`

describe("the listing's schema accepts", () => {
  it("the listing's schema accepts a listing with every feature and one with none", () => {
    expect(() => assertHierarchyListing(listing())).not.toThrow()
    const empty = { results: { total: 0 }, page: { limit: 25, offset: 0, current: 1, total: 0 } }
    const links = { self: '/x', first: '/x', last: null, prev: null, next: null }
    expect(() => assertHierarchyListing({ meta: empty, data: [], links })).not.toThrow()
  })

  it("the listing's schema accepts a listing without its optional members", () => {
    const lean = listing(({ node, manual, machine }) => {
      delete node.attributes.description
      delete node.attributes.label
      delete manual.attributes.commodity_type
      for (const name of ['custom_inputs', 'extensions', 'shopper_attributes', 'curated_product', 'price'])
        delete machine.attributes[name]
      for (const name of ['display_price', 'sale_id', 'sale_expires', 'original_price', 'original_display_price'])
        delete machine.meta[name]
      machine.relationships = {}
    })
    expect(() => assertHierarchyListing(lean)).not.toThrow()
  })
})

describe("the listing's schema refuses a document", () => {
  refused([
    ['without meta', ({ body }) => delete body.meta, "must have required property 'meta'"],
    ['without links', ({ body }) => delete body.links, "must have required property 'links'"],
    ['with a total as text', ({ body }) => (body.meta.results.total = '10'), '/meta/results/total must be integer'],
    ['with page 0', ({ body }) => (body.meta.page.current = 0), '/meta/page/current must be >= 1'],
    [
      'without a page length',
      ({ body }) => delete body.meta.page.limit,
      "/meta/page must have required property 'limit'",
    ],
    ['without next', ({ body }) => delete body.links.next, "/links must have required property 'next'"],
    ['with first null', ({ body }) => (body.links.first = null), '/links/first must be string'],
    ['with data as an object', ({ body }) => (body.data = {}), '/data must be array'],
    ['with a further member', ({ body }) => (body.included = []), '"additionalProperty":"included"'],
    ['with an item of another type', ({ manual }) => (manual.type = 'hierarchy'), '/type must be equal to constant'],
  ])
})

describe("the listing's schema refuses a product", () => {
  refused([
    [
      'without catalog_id',
      ({ machine }) => delete machine.meta.catalog_id,
      "/meta must have required property 'catalog_id'",
    ],
    [
      'without pricebook_id',
      ({ manual }) => delete manual.meta.pricebook_id,
      "/meta must have required property 'pricebook_id'",
    ],
    [
      'with a catalog_source of its own',
      ({ machine }) => (machine.meta.catalog_source = 'x'),
      '/meta/catalog_source must be equal',
    ],
    [
      'without breadcrumbs',
      ({ machine }) => delete machine.meta.bread_crumbs,
      "/meta must have required property 'bread_crumbs'",
    ],
    [
      'of no node',
      ({ machine }) => (machine.meta.bread_crumbs = {}),
      '/meta/bread_crumbs must NOT have fewer than 1 properties',
    ],
    [
      'with eleven levels',
      ({ machine }) => (machine.meta.bread_crumbs[ids.espresso] = Array(11).fill(ids.machines)),
      'must NOT have more than 10 items',
    ],
    [
      'with breadcrumbs of no node',
      ({ machine }) => (machine.meta.bread_crumbs.espresso = [ids.machines]),
      '/meta/bread_crumbs must match format "uuid"',
    ],
    [
      'with eleven nodes',
      ({ machine }) =>
        (machine.meta.bread_crumb_nodes = Array.from({ length: 11 }, (_, n) =>
          ids.machines.replace(/..$/, `${10 + n}`),
        )),
      '/meta/bread_crumb_nodes must NOT have more than 10 items',
    ],
    [
      'with an id that is no UUID',
      ({ machine }) => (machine.id = 'machine'),
      `${at(ids.machine)}/id must match format "uuid"`,
    ],
    ['without attributes', ({ manual }) => delete manual.attributes, "must have required property 'attributes'"],
    [
      'without relationships',
      ({ manual }) => delete manual.relationships,
      "must have required property 'relationships'",
    ],
    ['without a name', ({ manual }) => delete manual.attributes.name, "/attributes must have required property 'name'"],
    [
      'with a description of null',
      ({ manual }) => (manual.attributes.description = null),
      '/attributes/description must be string',
    ],
    ['with a SKU that is a number', ({ manual }) => (manual.attributes.sku = 7), '/attributes/sku must be string'],
    ['with a slug of spaces', ({ manual }) => (manual.attributes.slug = 'a b'), '/attributes/slug must match pattern'],
    [
      'as a draft',
      ({ manual }) => (manual.attributes.status = 'draft'),
      '/attributes/status must be equal to constant',
    ],
    [
      'of another commodity',
      ({ manual }) => (manual.attributes.commodity_type = 'x'),
      '/attributes/commodity_type must be equal to one of',
    ],
    [
      'with a tag in capitals',
      ({ manual }) => (manual.attributes.tags = ['Coffee']),
      '/attributes/tags/0 must match pattern',
    ],
    [
      'with a tag with a comma',
      ({ manual }) => (manual.attributes.tags = ['a,b']),
      '/attributes/tags/0 must match pattern',
    ],
    [
      'with admin attributes',
      ({ machine }) => (machine.attributes.admin_attributes = {}),
      '"additionalProperty":"admin_attributes"',
    ],
    ['with a further meta member', ({ machine }) => (machine.meta.owner = 'store'), '"additionalProperty":"owner"'],
    [
      'with a further relationship',
      ({ machine }) => (machine.relationships.nodes = {}),
      '"additionalProperty":"nodes"',
    ],
    [
      'curated: false',
      ({ shirt }) => (shirt.attributes.curated_product = false),
      '/attributes/curated_product must be equal to constant',
    ],
    [
      'without its types',
      ({ manual }) => (manual.attributes.product_types = []),
      '/attributes/product_types must NOT have fewer than 1',
    ],
    [
      'of an unknown type',
      ({ manual }) => (manual.attributes.product_types = ['x']),
      '/attributes/product_types/0 must be equal to one of',
    ],
    [
      'with an instant without milliseconds',
      ({ manual }) => (manual.attributes.updated_at = '2026-01-01T00:00:00Z'),
      '/updated_at must match',
    ],
    [
      'with a date alone',
      ({ manual }) => (manual.attributes.created_at = '2026-01-01'),
      '/created_at must match format',
    ],
    [
      'without variation_matrix',
      ({ manual }) => delete manual.meta.variation_matrix,
      "/meta must have required property 'variation_matrix'",
    ],
    [
      'with a matrix of names',
      ({ shirt }) => (shirt.attributes.variation_matrix.red = ids.redSmall),
      '/attributes/variation_matrix must match format "uuid"',
    ],
    [
      'with no variations listed',
      ({ manual }) => (manual.attributes.variations = []),
      '/attributes/variations must NOT have fewer than 1',
    ],
    [
      'with modifiers in an option',
      ({ shirt }) => (shirt.attributes.variations[0].options[0].price_modifiers = []),
      '"additionalProperty":"price_modifiers"',
    ],
    [
      'with an input longer than 255',
      ({ machine }) => (machine.attributes.custom_inputs.engraving.validation_rules[0].options.max_length = 256),
      'max_length must be <= 255',
    ],
    [
      'with a file that has no instant',
      ({ machine }) => delete machine.relationships.files.data[0].created_at,
      "'created_at'",
    ],
    [
      'with an image of another type',
      ({ machine }) => (machine.relationships.main_image.data.type = 'file'),
      '/main_image/data/type must be',
    ],
  ])
})

describe("the listing's schema refuses a price", () => {
  refused([
    [
      'with an amount as text',
      ({ machine }) => (machine.attributes.price.EUR.amount = '46000'),
      '/attributes/price/EUR/amount must be integer',
    ],
    [
      'with a fraction',
      ({ machine }) => (machine.attributes.price.EUR.amount = 460.5),
      '/attributes/price/EUR/amount must be integer',
    ],
    [
      'below zero',
      ({ machine }) => (machine.attributes.price.EUR.amount = -1),
      '/attributes/price/EUR/amount must be >= 0',
    ],
    [
      'price.missing-currency-left-out: of null',
      ({ machine }) => (machine.attributes.price.EUR.amount = null),
      '/attributes/price/EUR/amount must be integer',
    ],
    [
      'price.tax-flag-of-its-source: without includes_tax',
      ({ machine }) => delete machine.attributes.price.EUR.includes_tax,
      "must have required property 'includes_tax'",
    ],
    [
      'in a currency of no code',
      ({ machine }) => (machine.attributes.price.euro = machine.attributes.price.EUR),
      '/attributes/price must match pattern',
    ],
    [
      'price.missing-currency-left-out: in no currency',
      ({ machine }) => (machine.attributes.price = {}),
      '/attributes/price must NOT have fewer than 1 properties',
    ],
    [
      'tier.listing-shows-those-that-supply: with amounts in tiers',
      ({ machine }) => (machine.attributes.price.USD.tiers.pair.amount = 1),
      '"additionalProperty":"amount"',
    ],
    [
      'tier.listing-shows-those-that-supply: with no tiers listed',
      ({ machine }) => (machine.attributes.price.EUR.tiers = {}),
      '/tiers must NOT have fewer than 1 properties',
    ],
    [
      'tier.minimum-from-one: with a tier from 0',
      ({ machine }) => (machine.attributes.price.USD.tiers.pair.minimum_quantity = 0),
      'minimum_quantity must be >= 1',
    ],
    [
      'shown on one side',
      ({ machine }) => delete machine.meta.display_price.without_tax,
      "must have required property 'without_tax'",
    ],
    [
      'shown without text',
      ({ machine }) => delete machine.meta.display_price.with_tax.formatted,
      "must have required property 'formatted'",
    ],
    [
      'sale.reported-when-it-supplies: with a sale that has no end',
      ({ machine }) => delete machine.meta.sale_expires,
      '"missingProperty":"sale_expires"',
    ],
    [
      'sale.reported-when-it-supplies: with a sale that has no list price',
      ({ machine }) => delete machine.meta.original_price,
      '"missingProperty":"original_price"',
    ],
    [
      'sale.reported-when-it-supplies: with a list price that has no sale',
      ({ machine }) => delete machine.meta.sale_id,
      '"missingProperty":"sale_id"',
    ],
    [
      'price.original-in-every-currency: with tiers in the list price',
      ({ machine }) => (machine.meta.original_price.USD.tiers = {}),
      '"additionalProperty":"tiers"',
    ],
    [
      'modifier.listed-without-sales: with a sale in a modifier',
      ({ modifier }) => (modifier.sale_id = 'winter'),
      '"additionalProperty":"sale_id"',
    ],
    [
      'with a modifier of another type',
      ({ modifier }) => (modifier.modifier_type = 'price_times'),
      '/modifier_type must be equal to one of',
    ],
    [
      'with a modifier that lacks currencies',
      ({ modifier }) => delete modifier.currencies,
      "must have required property 'currencies'",
    ],
    [
      'in a bundle: an amount as text',
      ({ unit }) => (unit.price.USD.amount = '1'),
      '/price/USD/amount must be integer',
    ],
    ['in a bundle: a sale alone', ({ unit }) => delete unit.original_price, '"missingProperty":"original_price"'],
    [
      'in a bundle: no modifiers',
      ({ unit }) => delete unit.price_modifiers,
      "must have required property 'price_modifiers'",
    ],
    ['in a bundle: no book', ({ unit }) => delete unit.pricebook_id, "must have required property 'pricebook_id'"],
  ])
})

describe("the listing's schema refuses a bundle", () => {
  const configuration = '/meta/bundle_configuration'
  refused([
    [
      'without selected_options',
      ({ starter }) => delete starter.meta.bundle_configuration.selected_options,
      "'selected_options'",
    ],
    [
      'with a selection of 0',
      ({ starter }) => (starter.meta.bundle_configuration.selected_options.machine[ids.machine] = 0),
      configuration,
    ],
    [
      'with a selection of no product',
      ({ starter }) => (starter.meta.bundle_configuration.selected_options.machine.x = 1),
      configuration,
    ],
    [
      'with a component that has no options',
      ({ component }) => delete component.options,
      "must have required property 'options'",
    ],
    [
      'with a component that has no name',
      ({ component }) => delete component.name,
      "must have required property 'name'",
    ],
    [
      'with an option of no UUID',
      ({ component }) => (component.options[0].id = 'beans'),
      '/options/0/id must match format "uuid"',
    ],
    [
      'with an option that is no product',
      ({ component }) => (component.options[0].type = 'node'),
      '/options/0/type must be equal to constant',
    ],
    ['with a min as text', ({ component }) => (component.min = '1'), '/components/coffee/min must be integer'],
  ])
})

describe("product.types-that-hold: the listing's schema refuses members of another product type", () => {
  const [machine, shirt, child, bundle] = [ids.machine, ids.shirt, ids.redLarge, ids.breakfast].map(at)
  refused([
    ['components', (parts) => (parts.machine.attributes.components = {}), `${machine}/attributes/components`],
    [
      'component_products',
      (parts) => (parts.machine.relationships.component_products = { data: [] }),
      `${machine}/relationships/component`,
    ],
    [
      'bundle_configuration',
      (parts) => (parts.machine.meta.bundle_configuration = { selected_options: {}, component_products: {} }),
      `${machine}/meta/bundle_configuration`,
    ],
    [
      'base_product_id',
      (parts) => (parts.machine.attributes.base_product_id = ids.shirt),
      `${machine}/attributes/base_product_id`,
    ],
    [
      'price_modifiers',
      (parts) => (parts.machine.attributes.price_modifiers = []),
      `${machine}/attributes/price_modifiers`,
    ],
    ['meta.price_modifiers', (parts) => (parts.machine.meta.price_modifiers = {}), `${machine}/meta/price_modifiers`],
    [
      'parent',
      (parts) => (parts.machine.relationships.parent = parts.child.relationships.parent),
      `${machine}/relationships/parent`,
    ],
    ['children', (parts) => (parts.machine.relationships.children = { data: [] }), `${machine}/relationships/children`],
    [
      'base_product',
      (parts) => (parts.machine.attributes.base_product = true),
      `${machine}/attributes/base_product must be equal`,
    ],
    [
      'standard beside another',
      ({ shirt }) => shirt.attributes.product_types.push('standard'),
      'product_types must NOT have more than 1 items',
    ],
    [
      'a parent that is no base',
      (parts) => (parts.shirt.attributes.base_product = false),
      `${shirt}/attributes/base_product must be equal`,
    ],
    [
      'a parent without children',
      (parts) => delete parts.shirt.relationships.children,
      `${shirt}/relationships must have required property`,
    ],
    [
      'a parent as a child',
      (parts) => (parts.shirt.attributes.base_product_id = ids.machine),
      `${shirt}/attributes/base_product_id`,
    ],
    [
      'a child without parent',
      (parts) => delete parts.child.relationships.parent,
      `${child}/relationships must have required property`,
    ],
    [
      'a child without base',
      (parts) => delete parts.child.attributes.base_product_id,
      `${child}/attributes must have required property`,
    ],
    [
      'a child without modifiers',
      (parts) => delete parts.child.attributes.price_modifiers,
      `${child}/attributes must have required`,
    ],
    [
      'a child without meta.price_modifiers',
      (parts) => delete parts.child.meta.price_modifiers,
      `${child}/meta must have required`,
    ],
    [
      'a bundle without components',
      (parts) => delete parts.breakfast.attributes.components,
      `${bundle}/attributes must have required`,
    ],
    [
      'a bundle without configuration',
      (parts) => delete parts.breakfast.meta.bundle_configuration,
      `${bundle}/meta must have required`,
    ],
    [
      'a bundle without its products',
      (parts) => delete parts.breakfast.relationships.component_products,
      `${bundle}/relationships must`,
    ],
    [
      'a bundle with children',
      (parts) => (parts.breakfast.relationships.children = { data: [] }),
      `${bundle}/relationships/children`,
    ],
  ])
})

describe("list.nodes-before-products: the listing's schema refuses a node", () => {
  refused([
    [
      'without a slug',
      ({ node }) => delete node.attributes.slug,
      "/data/0/attributes must have required property 'slug'",
    ],
    [
      'without its parent',
      ({ node }) => (node.relationships = {}),
      "/data/0/relationships must have required property 'parent'",
    ],
    [
      'of a product',
      ({ node }) => (node.relationships.parent.data.type = 'product'),
      '/data/0/relationships/parent/data/type must be',
    ],
    [
      'without ancestors',
      ({ node }) => (node.meta.bread_crumb = []),
      '/data/0/meta/bread_crumb must NOT have fewer than 1 items',
    ],
    [
      'with the breadcrumbs of a product',
      ({ node }) => (node.meta.bread_crumbs = {}),
      '"additionalProperty":"bread_crumbs"',
    ],
    ['with a label of null', ({ node }) => (node.attributes.label = null), '/data/0/attributes/label must be string'],
    ['with an id that is no UUID', ({ node }) => (node.id = 'espresso'), '/data/0/id must match format "uuid"'],
    ['with a status', ({ node }) => (node.attributes.status = 'live'), '"additionalProperty":"status"'],
    [
      'with an instant of another form',
      ({ node }) => (node.attributes.updated_at = 1),
      '/data/0/attributes/updated_at must be string',
    ],
  ])
})
