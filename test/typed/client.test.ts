/** What a frontend writes against schema.graphql is checked by its compiler, and runs. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compileErrors } from '../support/compile.ts'
import { useDatabase } from '../support/database.ts'
import { at, fullStore } from '../support/full-store.ts'
import { publishStore } from '../support/published.ts'
import { useServer } from '../support/server.ts'
import { copyClient } from '../support/typed-client.ts'

const client = fileURLToPath(new URL('./client', import.meta.url))
const source = readFileSync(join(client, 'storefront.ts'), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'commerce-graph-client-'))
const server = useServer(useDatabase())

/** Each changes the query or the code that uses its result in one place. */
const wrong: Readonly<Record<string, readonly [string, string]>> = {
  'a field that there is not': ['            name\n', '            title\n'],
  'a field that was not selected': ['amount: price?.amount.amount', 'amount: price?.amount.currency'],
  'a field deep inside that there is not': ['                amount\n', '                cents\n'],
  'a result that may be null': ['storefront?.latestRelease?.products', 'storefront.latestRelease.products'],
  'a result of another type': ['readonly amount: number | null', 'readonly amount: string | null'],
  'a variable of another type': ['variables: VariablesOf<typeof Storefront>', 'variables: { currency: number }'],
}

beforeAll(() => copyClient(client, folder))
afterAll(() => rmSync(folder, { recursive: true }))

/** The files that do not compile. */
const compile = async (): Promise<string[]> =>
  [...new Set((await compileErrors(folder)).map((error) => error.slice(0, error.indexOf('('))))].sort()

test('the typed query compiles, and no faulty variant of it does', async () => {
  expect(await compile()).toEqual([])
  const names = Object.entries(wrong).map(([name, [right, instead]]) => {
    const changed = source.replace(right, instead)
    expect([name, changed]).not.toEqual([name, source])
    const file = `${name.replaceAll(' ', '-')}.ts`
    writeFileSync(join(folder, file), `${changed}\nexport const page = storefront('', '', { currency: 'USD' })\n`)
    return file
  })
  expect(await compile()).toEqual(names.sort())
})

test('the typed query runs', async () => {
  await publishStore(server, fullStore())
  server.now = at('2026-01-15T12:00:00Z')
  // Its types are those of its own tsconfig.json: by a path that is put together, the compiler doesn't follow it.
  const name = 'storefront'
  const { storefront, lines } = await import(`./client/${name}.ts`)
  const token = (await server.issue({ subject: 'frontend', role: 'shopper' }, server.now)).token
  const page = lines(await storefront(`${server.url}/graphql`, token, { currency: 'USD', first: 3 }))
  expect(page[0]).toEqual({ name: 'Espresso machine', amount: 40000, includesTax: false })
  expect(page).toHaveLength(3)
})
