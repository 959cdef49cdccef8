import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { flash, fullStore, ids, winter } from '../../support/full-store.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeAll(() => publishStore(server, fullStore()))
beforeEach(() => {
  server.now = START
})

type Role = 'admin' | 'shopper'

/** The field of the product in the latest release. */
async function field(id: string, selection: string, role: Role = 'shopper') {
  const { token } = await server.issue({ subject: role, role }, server.now)
  const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(by: { id: "${id}" }) { ${selection} } } } }`
  const { data, errors } = await server.gql(query, {}, { token })
  expect(errors).toBeUndefined()
  return data.catalog.release.product
}

interface Step {
  readonly kind: string
  readonly name: string | null
  readonly outcome: string
  readonly amount: { readonly amount: number } | null
}

const inWords = (steps: readonly Step[]) =>
  steps.map(({ kind, name, outcome, amount }) => [kind, name, outcome, amount?.amount].join(' '))

async function sales(role: Role): Promise<string[]> {
  const { price } = await field(ids.machine, 'price(currency: "USD") { explanation { kind name outcome } }', role)
  return price.explanation
    .filter(({ kind }: Step) => kind === 'SALE')
    .map(({ name, outcome }: Step) => `${name} ${outcome}`)
}

describe('CatalogPrice.explanation', () => {
  it('price.explained-by-every-candidate: CatalogPrice.explanation has each candidate with its outcome, amount and reason', async () => {
    const { price } = await field(
      ids.machine,
      'price(currency: "USD") { explanation { kind name outcome reason amount { amount } } }',
    )
    expect(inWords(price.explanation)).toEqual([
      `BOOK ${ids.premium} APPLIED `,
      'LIST  OUTRANKED 50000',
      'SALE flash NOT_RUNNING 30000',
      'SALE winter APPLIED 40000',
      'SALE set OTHER_BUNDLE 35000',
      'TIER dozen NOT_REACHED 45000',
      'TIER pair NOT_REACHED 39000',
    ])
    expect(price.explanation[2].reason).toBe('Sale "flash" ended at 2026-01-13T00:00:00.000Z.')
  })

  it('price.future-sales-for-admins: CatalogPrice.explanation shows a sale to a shopper from the instant on at which it begins, to an administrator before', async () => {
    const seen: unknown[] = []
    for (const now of [winter.from - 1, winter.from, flash.from - 1, flash.from, flash.to, winter.to]) {
      server.now = now
      // From the third request on a response comes from the cache.
      await sales('shopper')
      await sales('shopper')
      seen.push([(await sales('shopper')).join(', '), (await sales('admin')).join(', ')])
    }
    expect(seen).toEqual([
      ['set OTHER_BUNDLE', 'flash NOT_RUNNING, winter NOT_RUNNING, set OTHER_BUNDLE'],
      ['winter APPLIED, set OTHER_BUNDLE', 'flash NOT_RUNNING, winter APPLIED, set OTHER_BUNDLE'],
      ['winter APPLIED, set OTHER_BUNDLE', 'flash NOT_RUNNING, winter APPLIED, set OTHER_BUNDLE'],
      Array(2).fill('flash APPLIED, winter OUTRANKED, set OTHER_BUNDLE'),
      Array(2).fill('flash NOT_RUNNING, winter APPLIED, set OTHER_BUNDLE'),
      Array(2).fill('flash NOT_RUNNING, winter NOT_RUNNING, set OTHER_BUNDLE'),
    ])
  })

  it('CatalogPrice.explanation names the parts of a summed bundle, and explains the price of an option inside a bundle', async () => {
    const explanation = 'price(currency: "USD") { explanation { kind name outcome amount { amount } } }'
    const { price, bundleConfiguration } = await field(
      ids.starter,
      `${explanation} bundleConfiguration { componentProducts { productKey ${explanation} } }`,
    )
    expect(inWords(price.explanation)).toEqual([
      `BUNDLE ${ids.redLarge} APPLIED 2700`,
      `BUNDLE ${ids.machine} APPLIED 40000`,
      `BUNDLE ${ids.breakfast} APPLIED 5200`,
      'BUNDLE  APPLIED 47900',
    ])
    const machine = bundleConfiguration.componentProducts.find(
      (one: { productKey: string }) => one.productKey === ids.machine,
    )
    expect(inWords(machine.price.explanation)).toContain('SALE set OUTRANKED 35000')
  })
})

describe('price.missing-price-explained: priceExplanation', () => {
  const fields = 'kind name outcome amount { amount }'
  const of = (args: string) => `priceExplanation(${args}) { ${fields} }`

  it('priceExplanation of a product equals the explanation of its price, and explains a price that is null', async () => {
    const found = await field(
      ids.machine,
      `price(currency: "USD", quantity: 12) { explanation { ${fields} } } ${of('currency: "USD", quantity: 12')}
       none: price(currency: "XXX") { amount { amount } } why: ${of('currency: "XXX"')}`,
      'admin',
    )
    expect(found.priceExplanation.length).toBeGreaterThan(2)
    expect(found.priceExplanation).toEqual(found.price.explanation)
    expect(found.none).toBeNull()
    expect(inWords(found.why)).toEqual([`BOOK ${ids.premium} APPLIED `, 'LIST  NO_AMOUNT '])
  })

  it('priceExplanation explains why a bundle and an option of it have no price, and a choice that is not allowed', async () => {
    const why = of('currency: "XXX"')
    const wrong = `wrong: bundleConfiguration(selection: []) { valid price(currency: "USD") { amount { amount } } ${of('currency: "USD"')} }`
    const found = await field(
      ids.starter,
      `${why} bundleConfiguration { ${why} componentProducts { productKey ${why} } } ${wrong}`,
    )
    const options = [ids.redLarge, ids.machine, ids.breakfast]
    const expected = [...options.map((id) => `BUNDLE ${id} NO_AMOUNT `), 'BUNDLE  NO_AMOUNT ']
    expect(inWords(found.priceExplanation)).toEqual(expected)
    expect(inWords(found.bundleConfiguration.priceExplanation)).toEqual(expected)
    const machine = found.bundleConfiguration.componentProducts.find(
      ({ productKey }: { productKey: string }) => productKey === ids.machine,
    )
    expect(inWords(machine.priceExplanation)).toEqual([`BOOK ${ids.premium} APPLIED `, 'LIST  NO_AMOUNT '])
    expect([found.wrong.valid, found.wrong.price, inWords(found.wrong.priceExplanation)]).toEqual([
      false,
      null,
      ['BUNDLE  NO_AMOUNT '],
    ])
  })

  it('price.other-instants-for-admins: priceExplanation of another instant is for administrators', async () => {
    const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
    const args = `at: "${new Date(winter.from - 1).toISOString()}", currency: "USD"`
    const query = `{ catalog(id: "${ids.catalog}") { release(id: "latest") { product(by: { id: "${ids.machine}" }) { ${of(args)} } } } }`
    const { errors } = await server.gql(query, {}, { token })
    expect(errors[0].extensions.code).toBe('FORBIDDEN')
    const { priceExplanation } = await field(ids.machine, of(args), 'admin')
    expect(inWords(priceExplanation)).toContain('SALE winter NOT_RUNNING 40000')
  })
})
