/**
 * text.names-are-visible: names that older versions took, and translations (language.blank-is-no-translation), in what
 * reads and writes.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { exportText } from '../../src/export/export.ts'
import { reset, useDatabase } from '../support/database.ts'
import { fullStore, ids } from '../support/full-store.ts'
import { runImport } from '../support/import.ts'
import { mutate } from '../support/mutations.ts'
import { contextOf, makeBook, makePrice } from '../support/price-books.ts'
import { describeFailure, idOf, makeProduct } from '../support/products.ts'
import { publish } from '../support/published.ts'
import { START, useServer } from '../support/server.ts'
import { insertStore } from '../support/store.ts'

const database = useDatabase()
const server = useServer(database)
const admin = () => contextOf(server.services, START)

beforeEach(() => reset(database))

const sql = (text: string) => database.pool.query(text)

describe('names that are stored from before', () => {
  it('text.names-are-visible: an export with stored names that break the rule, imported where it came from, changes nothing', async () => {
    expect(
      (await runImport(server.services, readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))).refused,
    ).toEqual([])
    for (const table of [
      'price_book',
      'price_modifier',
      'subscription_product',
      'plan',
      'offering',
      'catalog',
      'catalog_rule',
      'sale',
    ])
      await sql(`UPDATE ${table} SET name = name || E' \\n'`)
    await sql(`UPDATE catalog_node SET name = name || E'\\u00a0'`)
    await sql(`UPDATE product_price SET sku = ' ' || sku`)
    await sql(`UPDATE subscription_product SET sku = ' ' || sku`)
    await sql(`UPDATE catalog_rule SET tags = ARRAY[' '], channels = ARRAY[E'\\u200b']`)
    await sql(`UPDATE product SET name = name || ' ', sku = ' ' || sku, tags = ARRAY[' tag', E'\\u200b'],
      variations = replace(variations::text, '"name": "', '"name": " ')::jsonb`)
    await sql(`UPDATE product_price SET currencies = replace(currencies::text, '"tiers": {"', '"tiers": {" ')::jsonb`)
    const pieces: string[] = []
    for await (const piece of exportText(database)) pieces.push(piece)
    const { counts, refused } = await runImport(server.services, pieces.join(''))
    expect(refused).toEqual([])
    expect(Object.values(counts).filter(([created, updated]) => created || updated)).toEqual([])
  })

  it('text.names-are-visible: stored names that break the rule stay in an update that leaves them alone or gives them again; another such name is refused', async () => {
    const { id } = await makeProduct(admin(), { name: 'Old', sku: 'OLD', tags: ['t'] })
    await sql(`UPDATE product SET name = 'Old ', sku = ' ', tags = ARRAY[' t']`)
    const update = async (given: object) => {
      const { product, userErrors } = await mutate(
        server,
        'updateProduct',
        { id, ...given },
        'product { name sku tags description }',
      )
      return (
        product ?? userErrors.map(({ code, path }: { code: string; path: string[] }) => `${path.join('.')} ${code}`)
      )
    }
    const stored = { name: 'Old ', sku: ' ', tags: [' t'], description: null }
    expect(await update({ description: 'new' })).toEqual({ ...stored, description: 'new' })
    expect(await update({ ...stored, tags: [' T', 'u'] })).toEqual({ ...stored, tags: [' t', 'u'] })
    expect(await update({ name: ' Old', sku: '  ', tags: ['t '] })).toEqual([
      'name INVALID_TEXT',
      'sku INVALID_TEXT',
      'tags.0 INVALID_TEXT',
    ])
    expect(await update({ name: 'New', sku: 'NEW' })).toMatchObject({ name: 'New', sku: 'NEW' })
  })

  it('text.names-are-visible: stored names that break the rule are found by an upsert, and by what looks sales up by their name', async () => {
    const book = await makeBook(admin(), 'Book')
    await makePrice(admin(), book.id, 'S', { currencies: { USD: { amount: 1 } }, sales: { s: {} } })
    await sql(`UPDATE product_price SET sku = 'S '`)
    await sql(`UPDATE sale SET name = ' '`)
    const upsert = async (sku: string) => {
      const rows = [{ sku, prices: [], sales: [{ name: ' ' }] }]
      const { results } = await mutate(
        server,
        'upsertProductPrices',
        { priceBookId: book.id, mode: 'PER_ROW', rows },
        'results { outcome }',
      )
      return results[0].outcome
    }
    expect([await upsert('S '), await upsert('T ')]).toEqual(['UNCHANGED', 'REFUSED'])
    const removed = await mutate(
      server,
      'removeSales',
      { priceBookId: book.id, name: ' ' },
      'campaign { changedCount }',
    )
    expect(removed.campaign.changedCount).toBe(1)
  })

  it('text.names-are-visible: a stored name that breaks the rule stays in a subscription product that REST gets back as it is', async () => {
    const data = { id: idOf(7), type: 'subscription_product', attributes: { name: 'Paper' } }
    await runImport(server.services, [data])
    await sql(`UPDATE subscription_product SET name = 'Paper ', sku = ' '`)
    const put = (attributes: object) =>
      server.rest('PUT', `/v2/subscriptions/products/${idOf(7)}`, { body: { data: { ...data, attributes } } })
    expect((await put({ name: 'Paper ', sku: ' ' })).status).toBe(200)
    const refused = await put({ name: 'Paper\u200b\n', sku: '\t' })
    expect([refused.status, refused.body.errors.map(({ detail }: { detail: string }) => detail)]).toEqual([
      422,
      [
        'data.attributes.name: must not begin or end with white space or a control character',
        'data.attributes.sku: must have a visible character',
      ],
    ])
    expect((await put({ sku: '' })).status).toBe(200)
  })
})

describe('language.blank-is-no-translation', () => {
  it('a blank text in another language is not stored; one with white space at its end is refused', async () => {
    const locales = {
      de: { name: ' \u200b', description: '\n' },
      fr: { name: 'Tasse', description: ' ' },
      es: { name: '' },
    }
    await makeProduct(admin(), { name: 'Mug', description: 'd', locales })
    expect((await database.pool.query('SELECT locales FROM product')).rows).toEqual([
      { locales: { fr: { name: 'Tasse' } } },
    ])
    const edged = makeProduct(admin(), { locales: { de: { name: 'Becher ' } } })
    expect(await describeFailure(edged)).toBe('validation: attributes.locales.de.name INVALID_TEXT')
  })

  it('a release ignores blank translations that an older version stored, to show, order and find products', async () => {
    await insertStore(database, fullStore())
    await sql(
      `UPDATE product SET locales = '{"de": {"name": " ", "description": "\u200b"}, "fr": {"name": "\u00a0", "description": "d"}}'`,
    )
    await publish(server, ids.catalog)
    const listed = async (locale: string) => {
      const fields = `totalCount nodes { name(locale: "${locale}") language(locale: "${locale}") }`
      const list = `products(first: 100, orderBy: { field: NAME }) { ${fields} }`
      const text = `query @inContext(locale: "${locale}") { catalog(id: "${ids.catalog}") { latestRelease { ${list} } } }`
      const reply = await server.gql(text)
      expect(reply.errors).toBeUndefined()
      return reply.data.catalog.latestRelease.products.nodes as { name: string; language: string | null }[]
    }
    const names = (await listed('en')).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(5)
    expect(await listed('de')).toEqual(names.map((name) => ({ name, language: null })))
    // French has descriptions.
    expect(await listed('fr')).toEqual(names.map((name) => ({ name, language: 'fr' })))
  })
})
