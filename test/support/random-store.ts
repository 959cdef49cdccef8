/**
 * Random stores: small stores with frequent edge cases of publishing, and random edits that change data and database
 * alike.
 */
import type { BundleComponents, CurrencyPriceRecords } from '../../src/domain/pricing/price-record.ts'
import type { Database } from '../../src/persistence/database/database.ts'
import { idOf } from './products.ts'
import {
  attach,
  insertModifiers,
  insertPrices,
  insertSales,
  linkCatalog,
  type Store,
  type StoreProduct,
} from './store.ts'

/** A generator of small whole numbers from a seed (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T
  const some = <T>(items: readonly T[], most: number): T[] => {
    const left = [...items]
    return Array.from(
      { length: Math.min(below(most + 1), left.length) },
      () => left.splice(below(left.length), 1)[0] as T,
    )
  }
  return { below, pick, some, chance: (percent: number) => below(100) < percent }
}

export type Random = ReturnType<typeof randomFrom>

const START = Date.UTC(2026, 0, 1)
const names = ['one', 'two', 'three', 'four']

/** The first id of each kind, so that ids differ. */
const ids = {
  product: 0x1000,
  node: 0x2000,
  book: 0x3000,
  price: 0x4000,
  modifier: 0x5000,
  catalog: 0x6000,
  option: 0x7000,
}

/** A random store. */
export function randomStore(random: Random): Store {
  const { below, chance, pick, some } = random
  const products: StoreProduct[] = []
  const add = (given: Partial<StoreProduct>): StoreProduct => {
    const at = products.length
    const product: StoreProduct = {
      id: idOf(ids.product + at),
      name: `Product ${below(4)}`,
      slug: `product-${below(4)}`,
      status: chance(75) ? 'live' : 'draft',
      created_at: START + below(3),
      updated_at: START + below(4),
      sku: chance(85) ? `SKU-${at}` : null,
      tags: some(['red', 'green', 'blue'], 2),
      ...(chance(50) && {
        extensions: {
          book: { pages: pick([7, 1.5, '7', true, null, [7], 'x'.repeat(100), 'x'.repeat(101)]) },
          film: { pages: below(3) },
        },
      }),
      ...given,
    }
    products.push(product)
    return product
  }
  const plain = Array.from({ length: 2 + below(4) }, () => add({}))
  for (let parent = 0; parent < 1 + below(2); parent++) {
    const options = [0, 1, 2].map((at) => ({
      id: idOf(ids.option + parent * 16 + at),
      name: `Option ${at}`,
      sort_order: [null, parent, at][at] ?? null,
      price_modifiers: some(names, 3),
    }))
    const variations = [
      { id: idOf(ids.option + parent * 16 + 8), name: 'Size', options: options.slice(0, 2) },
      { id: idOf(ids.option + parent * 16 + 9), name: 'Colour', options: options.slice(2) },
    ]
    const base = add({ variations })
    for (let child = 0; child < 1 + below(2); child++) {
      const sku = chance(30) ? `CHILD-${products.length}` : null
      plain.push(
        add({
          parent_id: base.id,
          sku,
          option_ids: [options[child]?.id ?? '', options[2]?.id ?? ''].filter(() => chance(85)),
        }),
      )
    }
    plain.push(base)
  }
  const components = (options: readonly StoreProduct[]): BundleComponents =>
    Object.fromEntries(
      names.slice(0, 1 + below(2)).map((name) => [
        name,
        {
          name,
          min: below(2),
          max: null,
          options: some(options, 3).map(({ id }) => ({ id, quantity: 1 + below(2) })),
        },
      ]),
    )
  const unknown: StoreProduct = { ...(plain[0] as StoreProduct), id: idOf(ids.product + 0xff0) }
  const inner = Array.from({ length: 1 + below(2) }, () => add({ components: components([...plain, unknown]) }))
  for (let bundle = 0; bundle < 1 + below(2); bundle++) add({ components: components([...inner, ...some(plain, 2)]) })

  const nodes: Store['nodes'] = []
  for (let at = 0; at < 2 + below(6); at++) {
    const parent = at < 2 ? null : pick(nodes)
    const id = idOf(ids.node + at)
    const curated_product_ids = parent === null ? [] : some(products, 3).map((product) => product.id)
    const texts = { name: `Node ${at}`, slug: `node-${at}` }
    const instants = { created_at: START, updated_at: START + below(3) }
    nodes.push({
      id,
      parent_id: parent?.id ?? null,
      hierarchy_id: parent?.hierarchy_id ?? id,
      ...texts,
      ...instants,
      curated_product_ids,
    })
  }
  const leaves = nodes.filter(({ parent_id }) => parent_id !== null)
  const attachments = some(
    leaves.flatMap((node) => products.map((product) => ({ node_id: node.id, product_id: product.id }))),
    products.length * 2,
  )
  const books = Array.from({ length: 1 + below(3) }, (_, at) => ({ id: idOf(ids.book + at), name: `Book ${at}` }))
  const store: Store = { products, nodes, attachments, books, prices: [], modifiers: [], catalogs: [] }
  for (const book of books) {
    for (const { sku } of products) {
      if (sku == null || !chance(60)) continue
      store.prices.push({
        id: idOf(ids.price + store.prices.length),
        price_book_id: book.id,
        sku,
        currencies: withGaps(random, randomCurrencies(random)),
        sales: some(names, 2).map((name, at) => randomSale(random, name, at, products)),
        shopper_attributes: chance(30) ? { colour: 'red' } : null,
        admin_attributes: { secret: 'x' },
      })
    }
    for (const name of names.filter(() => chance(80))) {
      const id = idOf(ids.modifier + store.modifiers.length)
      store.modifiers.push({
        id,
        price_book_id: book.id,
        name,
        modifier_type: 'price_increment',
        currencies: randomCurrencies(random),
      })
    }
  }
  const roots = nodes.filter(({ parent_id }) => parent_id === null).map(({ id }) => id)
  for (let at = 0; at < 2; at++) {
    const priced = books.filter(() => chance(80)).map(({ id }) => ({ id, priority: below(3) }))
    store.catalogs.push({
      id: idOf(ids.catalog + at),
      name: `Catalog ${at}`,
      hierarchy_ids: chance(80) ? roots : some(roots, 2),
      books: priced,
    })
  }
  return store
}

function randomCurrencies({ below, some }: Random): CurrencyPriceRecords {
  return Object.fromEntries(
    some(['USD', 'EUR', 'GBP'], 3).map((currency) => [currency, { amount: below(1000), includes_tax: false }]),
  )
}

/** The same prices, some of which are null. */
function withGaps({ chance }: Random, currencies: CurrencyPriceRecords): CurrencyPriceRecords {
  return Object.fromEntries(
    Object.entries(currencies).map(([currency, price]) => [currency, chance(10) ? { ...price, amount: null } : price]),
  )
}

function randomSale(random: Random, name: string, at: number, products: readonly StoreProduct[]) {
  const from = START + at * 1000
  const bundles = random.chance(30) ? random.some(products, 2).map(({ id }) => id) : []
  return {
    name,
    from,
    to: random.chance(50) ? from + 1 + random.below(5000) : null,
    bundles,
    currencies: randomCurrencies(random),
  }
}

/** Changes the store and the database in one random way, and returns a description for messages. */
export async function randomEdit(store: Store, { pool }: Pick<Database, 'pool'>, random: Random): Promise<string> {
  const { below, chance, pick, some } = random
  const set = async (table: string, id: string, column: string, value: unknown): Promise<void> => {
    await pool.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, value])
  }
  const product = pick(store.products)
  const price = store.prices.length > 0 ? pick(store.prices) : null
  const modifier = store.modifiers.length > 0 ? pick(store.modifiers) : null
  const node = pick(store.nodes)
  const catalog = pick(store.catalogs)
  const edits: Record<string, () => Promise<void>> = {
    'text of a product': async () => {
      product.description = `Description ${below(100)}`
      await set('product', product.id, 'description', product.description)
    },
    'title of a product for search engines': async () => {
      product.seo_title = chance(30) ? null : `Title ${below(3)}`
      await set('product', product.id, 'seo_title', product.seo_title)
    },
    'description of a node for search engines': async () => {
      node.seo_description = chance(30) ? null : `Description ${below(3)}`
      await set('catalog_node', node.id, 'seo_description', node.seo_description)
      store.nodes.splice(store.nodes.indexOf(node), 1)
      store.nodes.push(node)
    },
    'texts of a product in other languages': async () => {
      product.locales = Object.fromEntries(
        some(['de', 'fr', 'de-CH'], 2).map((tag) => [
          tag,
          chance(30)
            ? { name: `${tag} ${below(2)}` }
            : chance(50)
              ? { slug: `product-${below(5)}` }
              : { seo_title: `${tag} ${below(2)}`, name: tag },
        ]),
      )
      await set('product', product.id, 'locales', JSON.stringify(product.locales))
    },
    'slugs of a node in other languages': async () => {
      const tags = some(['de', 'fr'], 2)
      const slugs = tags.map((tag) => [tag, { slug: `${node.slug}-${below(2)}` }])
      node.locales = slugs.length > 0 ? Object.fromEntries(slugs) : null
      await set('catalog_node', node.id, 'locales', node.locales && JSON.stringify(node.locales))
      store.nodes.splice(store.nodes.indexOf(node), 1)
      store.nodes.push(node)
    },
    'order of a product': async () => {
      product.updated_at = START + below(6)
      await set('product', product.id, 'updated_at', new Date(product.updated_at))
    },
    'status of a product': async () => {
      product.status = product.status === 'live' ? 'draft' : 'live'
      await set('product', product.id, 'status', product.status)
    },
    'SKU of a product': async () => {
      product.sku = chance(50) ? null : `NEW-${below(1000)}-${product.id}`
      await set('product', product.id, 'sku', product.sku)
    },
    'tags of a product': async () => {
      product.tags = some(['red', 'green', 'violet'], 2)
      await set('product', product.id, 'tags', product.tags)
    },
    'modifiers of options': async () => {
      const parent = store.products.find(({ variations }) => variations != null)
      if (!parent) return
      parent.variations = (parent.variations ?? []).map((variation) => ({
        ...variation,
        options: variation.options.map((option) => {
          const price_modifiers = some(names, 3)
          return { ...option, price_modifiers, sort_order: price_modifiers.length || null }
        }),
      }))
      await set('product', parent.id, 'variations', JSON.stringify(parent.variations))
    },
    'options of a child': async () => {
      const child = store.products.find(({ parent_id }) => parent_id != null)
      if (!child) return
      child.option_ids = (child.option_ids ?? []).toReversed()
      await set('product', child.id, 'option_ids', child.option_ids)
    },
    'list price': async () => {
      if (!price) return
      price.currencies = randomCurrencies(random)
      await set('product_price', price.id, 'currencies', JSON.stringify(price.currencies))
    },
    // As operations write it: a sale changes with its product price.
    'sales of a price': async () => {
      if (!price) return
      price.sales = some(names, 2).map((name, at) => randomSale(random, name, at, store.products))
      await pool.query('DELETE FROM sale WHERE product_price_id = $1', [price.id])
      await insertSales(
        { pool },
        price.sales.map((sale) => ({ ...sale, product_price_id: price.id })),
      )
      await set('product_price', price.id, 'updated_at', new Date())
    },
    'price gone': async () => {
      if (!price) return
      store.prices.splice(store.prices.indexOf(price), 1)
      await pool.query('DELETE FROM product_price WHERE id = $1', [price.id])
    },
    'price come': async () => {
      const { sku } = product
      const book = pick(store.books)
      if (sku == null || store.prices.some((one) => one.sku === sku && one.price_book_id === book.id)) return
      const added = {
        id: idOf(0x9000 + below(0xfff)),
        price_book_id: book.id,
        sku,
        currencies: withGaps(random, randomCurrencies(random)),
        sales: [],
      }
      if (store.prices.some(({ id }) => id === added.id)) return
      store.prices.push(added)
      await insertPrices({ pool }, [added])
    },
    'modifier changed': async () => {
      if (!modifier) return
      modifier.currencies = randomCurrencies(random)
      modifier.modifier_type = 'price_decrement'
      await pool.query('UPDATE price_modifier SET currencies = $2, modifier_type = $3 WHERE id = $1', [
        modifier.id,
        JSON.stringify(modifier.currencies),
        modifier.modifier_type,
      ])
    },
    'modifier renamed or gone': async () => {
      if (!modifier) return
      store.modifiers.splice(store.modifiers.indexOf(modifier), 1)
      await pool.query('DELETE FROM price_modifier WHERE id = $1', [modifier.id])
      if (chance(50)) return
      const renamed = { ...modifier, name: `${modifier.name}-new` }
      if (
        store.modifiers.some(
          ({ name, price_book_id }) => name === renamed.name && price_book_id === renamed.price_book_id,
        )
      )
        return
      store.modifiers.push(renamed)
      await insertModifiers({ pool }, [renamed])
    },
    'node renamed': async () => {
      node.name = `${node.name}'`
      node.updated_at = START + below(6)
      await pool.query('UPDATE catalog_node SET name = $2, updated_at = $3 WHERE id = $1', [
        node.id,
        node.name,
        new Date(node.updated_at),
      ])
      // record.order-of-writing-decides: of equal times the one written last is the latest.
      store.nodes.splice(store.nodes.indexOf(node), 1)
      store.nodes.push(node)
    },
    'node moved': async () => {
      const parent = pick(store.nodes)
      if (
        node.parent_id === null ||
        node.id === parent.id ||
        store.nodes.some(({ parent_id }) => parent_id === node.id)
      )
        return
      node.parent_id = parent.id
      node.hierarchy_id = parent.hierarchy_id
      await pool.query('UPDATE catalog_node SET parent_id = $2, hierarchy_id = $3 WHERE id = $1', [
        node.id,
        parent.id,
        node.hierarchy_id,
      ])
      store.nodes.splice(store.nodes.indexOf(node), 1)
      store.nodes.push(node)
    },
    'curated products': async () => {
      if (node.parent_id === null) return
      node.curated_product_ids = some(store.products, 3).map(({ id }) => id)
      await set('catalog_node', node.id, 'curated_product_ids', node.curated_product_ids)
      store.nodes.splice(store.nodes.indexOf(node), 1)
      store.nodes.push(node)
    },
    'attached or detached': async () => {
      if (node.parent_id === null) return
      const found = store.attachments.findIndex((one) => one.node_id === node.id && one.product_id === product.id)
      if (found >= 0) {
        store.attachments.splice(found, 1)
        await pool.query('DELETE FROM node_product WHERE node_id = $1 AND product_id = $2', [node.id, product.id])
        if (chance(50)) return
      }
      store.attachments.push({ node_id: node.id, product_id: product.id })
      await attach({ pool }, [{ node_id: node.id, product_id: product.id }])
    },
    'books and hierarchies of a catalog': async () => {
      const roots = store.nodes.filter(({ parent_id }) => parent_id === null).map(({ id }) => id)
      catalog.hierarchy_ids = some(roots, 2)
      catalog.books = some(store.books, 3).map(({ id }) => ({ id, priority: below(3) }))
      await linkCatalog({ pool }, catalog)
    },
  }
  const name = pick(Object.keys(edits))
  await edits[name]?.()
  return name
}
