/** upsertLabels and labels, as administrators use them, and labels of imports. */
import { beforeEach, describe, expect, it } from 'vitest'
import { countStatements, reset, useDatabase } from '../../support/database.ts'
import { runImport } from '../../support/import.ts'
import { mutate } from '../../support/mutations.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeEach(async () => {
  await reset(database)
  server.now = START
})

type Texts = Readonly<Record<string, string>>

const row = (kind: string, key: string, texts: Texts) => ({
  kind,
  key,
  locales: Object.entries(texts).map(([language, name]) => ({ language, name })),
})

const upsert = (labels: readonly object[], more: object = {}) =>
  mutate(server, 'upsertLabels', { labels, ...more }, 'labels { id kind key locales { language name } updatedAt }')

async function stored(args = '') {
  const query = `{ labels${args} { totalCount nodes { kind key locales { language name } } } }`
  const { data, errors } = await server.gql(query)
  expect(errors).toBeUndefined()
  return data.labels
}

const problems = async (labels: readonly object[]) => {
  const { labels: written, userErrors } = await upsert(labels)
  expect(written).toBeNull()
  expect(await stored()).toEqual({ totalCount: 0, nodes: [] })
  return userErrors.map(({ code, path }: { code: string; path: string[] }) => `${code} ${path.join('.')}`)
}

const sale = row('SALE', 'Black Friday', { de: 'Schwarzer Freitag', fr: 'Vendredi noir' })

describe('upsertLabels', () => {
  it('label.set-by-name, label.one-per-name: a label is added, changed and deleted by its kind and name, and its languages are replaced', async () => {
    const tag = row('TAG', 'black friday', { de: 'Freitag' })
    const { labels, userErrors } = await upsert([sale, tag])
    expect([labels, userErrors]).toEqual([[expect.objectContaining(sale), expect.objectContaining(tag)], []])
    const next = row('SALE', 'Black Friday', { es: 'Viernes negro' })
    const changed = (await upsert([next])).labels[0]
    expect(changed).toMatchObject({ id: labels[0].id, ...next })
    expect(await stored()).toEqual({ totalCount: 2, nodes: [next, tag] })
    expect((await upsert([row('SALE', 'Black Friday', {}), row('TIER', 'unknown', {})])).labels).toEqual([])
    expect(await stored()).toEqual({ totalCount: 1, nodes: [tag] })
  })

  it('label.one-per-name: names differ by case, kind and each character', async () => {
    const rows = [sale, row('SALE', 'black friday', { de: 'a' }), row('TIER', 'Black Friday', { de: 'b' })]
    await upsert([...rows, row('ATTRIBUTE', 'Black Friday', { de: 'c' }), row('ATTRIBUTE_VALUE', 'X', { de: 'd' })])
    expect((await stored()).totalCount).toBe(5)
    expect(await stored('(filter: { kind: SALE })')).toEqual({ totalCount: 2, nodes: rows.slice(0, 2) })
    expect((await stored('(filter: { key: { eq: "Black Friday" } }, first: 2)')).totalCount).toBe(3)
  })

  it('label.set-by-name, history.nothing-without-a-write: the same call again changes nothing and leaves no entry', async () => {
    const first = (await upsert([sale])).labels
    server.now += 1000
    expect((await upsert([sale])).labels).toEqual(first)
    await upsert([row('SALE', 'Black Friday', {})])
    const query = `{ history(filter: { topic: LABEL }) { nodes { operation typename: recordType kind recordId } } }`
    const { data } = await server.gql(query.replace('typename: recordType ', ''))
    expect(data.history.nodes).toEqual([
      { operation: 'upsertLabels', kind: 'DELETED', recordId: first[0].id },
      { operation: 'upsertLabels', kind: 'CREATED', recordId: first[0].id },
    ])
  })

  it('label.set-by-name: refused rows prevent all others, each named by its place', async () => {
    const bad = [
      sale,
      row('SALE', ' ', { de: 'a' }),
      row('SALE', '', { de: 'a' }),
      row('SALE', 'S', { 'not a tag': 'a', de: 'b' }),
      row('SALE', 'T', { de: 'a', DE: 'b' }),
      row('TAG', 'Coffee', { de: 'a' }),
      row('SALE', 'x'.repeat(1025), { de: 'a' }),
      row('SALE', 'Black Friday', { it: 'a' }),
    ]
    expect(await problems(bad)).toEqual([
      'INVALID_TEXT labels.1.key',
      'TOO_SHORT labels.2.key',
      'INVALID_FORMAT labels.3.locales.0.language',
      'DUPLICATE labels.4.locales.1.language',
      'INVALID_FORMAT labels.5.key',
      'TOO_LONG labels.6.key',
      'DUPLICATE labels.7.key',
    ])
  })

  it('label.names-are-visible: a blank name of a language, one with a space at its end and one of 256 characters are refused', async () => {
    const named = (name: string) => row('SALE', name.slice(0, 3) || 'none', { de: name })
    expect(
      await problems([' ', '', 'a ', 'x'.repeat(256)].map((name, at) => ({ ...named(name), key: `k${at}` }))),
    ).toEqual([
      'INVALID_TEXT labels.0.locales.0.name',
      'TOO_SHORT labels.1.locales.0.name',
      'INVALID_TEXT labels.2.locales.0.name',
      'TOO_LONG labels.3.locales.0.name',
    ])
    const longest = row('SALE', 'k', { de: 'ü'.repeat(255) })
    expect((await upsert([longest])).labels).toMatchObject([longest])
  })

  it('label.set-by-name: a kind that is none, and a call of shoppers, are refused before anything', async () => {
    const { errors } = await upsert([row('SALES', 'S', { de: 'a' })])
    expect(errors[0].message).toContain('"SALES" does not exist in "LabelKind" enum')
    const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
    const reply = await server.gql('{ labels { totalCount } }', {}, { token })
    expect(reply.errors).toHaveLength(1)
  })

  it('label.set-by-name: a call has at most 1000 rows', async () => {
    const rows = Array.from({ length: 1001 }, (_, at) => row('TAG', `t${at}`, { de: `T${at}` }))
    expect(await problems(rows)).toEqual(['TOO_MANY labels'])
    expect((await upsert(rows.slice(1))).labels).toHaveLength(1000)
    expect((await stored('(first: 1)')).totalCount).toBe(1000)
  })

  it('label.set-by-name: a call runs the same statements for 3 rows and 900', async () => {
    const rowsOf = (from: number, count: number, texts: Texts) =>
      Array.from({ length: count }, (_, at) => row('TAG', `t${from + at}`, texts))
    /** Adds, changes and deletes. */
    const mixed = async (from: number, each: number): Promise<string[]> => {
      await upsert([...rowsOf(from, each, { de: 'a' }), ...rowsOf(from + each, each, { de: 'a' })])
      const rows = [
        ...rowsOf(from, each, { de: 'b' }),
        ...rowsOf(from + each, each, {}),
        ...rowsOf(from + 2 * each, each, { de: 'c' }),
      ]
      const { result, statements } = await countStatements(database, () => upsert(rows))
      expect(result.labels).toHaveLength(2 * each)
      return [...statements]
    }
    const few = await mixed(0, 1)
    expect(few).toHaveLength(7)
    expect((await mixed(100, 300)).length).toBe(few.length)
  })

  it('label.ten-thousand: a store has at most 10,000 labels, by whatever way they come', async () => {
    await database.pool.query(`INSERT INTO label (id, kind, key, locales, created_at, updated_at)
      SELECT gen_random_uuid(), 'tag', 't' || n, '{"de": {"name": "T"}}', now(), now() FROM generate_series(1, 9999) n`)
    const refused = await upsert([sale, row('TAG', 'new', { de: 'a' })])
    expect(refused.userErrors).toMatchObject([{ code: 'TOO_MANY', path: ['labels'] }])
    expect((await upsert([sale, row('TAG', 't1', { de: 'a' })])).userErrors).toEqual([])
    expect((await upsert([row('TAG', 'new', { de: 'a' })])).userErrors).toMatchObject([{ code: 'TOO_MANY' }])
    const attributes = { kind: 'tag', key: 'new', locales: { de: { name: 'a' } } }
    expect((await runImport(server.services, [{ type: 'label', attributes }])).counts).toEqual({ label: [0, 0, 0, 1] })
    const replaced = [row('TAG', 't2', {}), row('TAG', 'new', { de: 'a' })]
    expect((await upsert(replaced)).userErrors).toEqual([])
  })

  it('label.one-per-name: of simultaneous calls for one name each succeeds, and one label stays', async () => {
    const calls = Array.from({ length: 10 }, (_, at) => upsert([row('SALE', 'Black Friday', { de: `N${at}` })]))
    const results = await Promise.all(calls)
    expect(results.map(({ userErrors }) => userErrors)).toEqual(results.map(() => []))
    expect(new Set(results.map(({ labels }) => labels[0].id)).size).toBe(1)
    expect((await stored()).totalCount).toBe(1)
  })

  it('write.idempotency-key: a repeated key gives the labels of the first call', async () => {
    const first = await upsert([sale], { idempotencyKey: 'one' })
    await upsert([row('SALE', 'Black Friday', { de: 'Anders' })])
    expect(await upsert([sale], { idempotencyKey: 'one' })).toEqual(first)
    const { userErrors } = await upsert([row('SALE', 'Other', {})], { idempotencyKey: 'one' })
    expect(userErrors).toMatchObject([{ code: 'IDEMPOTENCY_MISMATCH' }])
  })
})

describe('labels of an import', () => {
  it('label.names-are-visible, label.one-per-name: an import is refused like a call, and finds a label by its kind and name', async () => {
    const label = (attributes: object) => ({ type: 'label', attributes })
    const locales = { de: { name: 'Kaffee' } }
    const { counts, refused } = await runImport(server.services, [
      label({ kind: 'tag', key: 'coffee', locales }),
      label({ kind: 'tag', key: 'coffee', locales: { fr: { name: 'Café' } } }),
      label({ kind: 'attribute', key: 'coffee', locales }),
      label({ kind: 'brand', key: 'x', locales }),
      label({ kind: 'tag', key: 'Coffee', locales }),
      label({ kind: 'sale', key: 'x', locales: { de: { name: ' ' } } }),
      label({ kind: 'sale', key: 'x', locales: { de: { name: 'a', description: 'b' } } }),
    ])
    expect(counts).toEqual({ label: [2, 1, 0, 4] })
    expect(refused.map((problem) => problem.replace(/:[^:(]*\(/, ' ('))).toEqual([
      '4: data.attributes.kind (INVALID_VALUE)',
      '5: data.attributes.key (INVALID_FORMAT)',
      '6: data.attributes.locales.de.name (INVALID_TEXT)',
      '7: data.attributes.locales.de.description (UNKNOWN_FIELD)',
    ])
    expect((await stored()).nodes).toEqual([
      row('TAG', 'coffee', { fr: 'Café' }),
      row('ATTRIBUTE', 'coffee', { de: 'Kaffee' }),
    ])
  })
})
