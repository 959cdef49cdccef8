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

const inWords = (steps: readonly Step[]) => steps.map(({ kind, name, outcome, amount }) => [kind, name, outcome, amount?.amount].join(' '))

async function sales(role: Role): Promise<string[]> {
  const { price } = await field(ids.machine, 'price(currency: "USD") { explanation { kind name outcome } }', role)
  return price.explanation.filter(({ kind }: Step) => kind === 'SALE').map(({ name, outcome }: Step) => `${name} ${outcome}`)
}

describe('CatalogPrice.explanation', () => {
  it('price.explained-by-every-candidate: has each candidate with its outcome, amount and reason', async () => {
    const { price } = await field(ids.machine, 'price(currency: "USD") { explanation { kind name outcome reason amount { amount } } }')
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

  it('price.future-sales-for-admins: shows a shopper a sale from the instant on at which it begins, and an administrator before', async () => {
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

  it('names the parts of a summed bundle, and explains the price of an option inside a bundle', async () => {
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
    const machine = bundleConfiguration.componentProducts.find((one: { productKey: string }) => one.productKey === ids.machine)
    expect(inWords(machine.price.explanation)).toContain('SALE set OUTRANKED 35000')
  })
})
