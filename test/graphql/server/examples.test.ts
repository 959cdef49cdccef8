import { beforeAll, describe, expect, test } from 'vitest'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { examples } from '../../../src/graphql/server/examples.ts'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

const nameOf = (query: string): string => /(?:query|mutation) (\w+)/.exec(query)?.[1] ?? ''
const tabs = examples.map((example) => ({ name: nameOf(example.query), ...example }))

describe('the tabs of GraphiQL on the demo store', () => {
  const server = useServer(useDatabase())
  beforeAll(async () => {
    server.now = Date.now()
    await loadDemo(server.services)
  })
  const run = async ({ query, variables }: (typeof tabs)[number], role: 'admin' | 'shopper') => {
    const { token } = await server.issue({ subject: role, role }, server.now)
    const response = await server.gql(query, variables, { token })
    const payloads = Object.values<{ userErrors?: unknown[] } | null>(response.data ?? {})
    return { ...response, userErrors: payloads.flatMap((payload) => payload?.userErrors ?? []) }
  }

  test.each(tabs)('$name runs for an admin without errors, repeatedly', async (tab) => {
    for (const _ of [1, 2]) {
      const { data, errors, userErrors } = await run(tab, 'admin')
      expect({ errors, userErrors }).toEqual({ errors: undefined, userErrors: [] })
      expect(Object.values(data)).not.toContain(null)
    }
  })

  test.each(tabs)('right.shoppers-see-published-and-own: $name runs for a shopper only if it is marked so', async (tab) => {
    const { errors = [] } = await run(tab, 'shopper')
    const codes = errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
    expect([...new Set(codes)]).toEqual(tab.right === 'anyone' ? [] : ['FORBIDDEN'])
  })

  const answerOf = async (name: string) => {
    const tab = tabs.find((each) => each.name === name)
    if (!tab) throw new Error(`no tab ${name}`)
    return (await run(tab, 'admin')).data
  }

  test('the first shows a page with prices, a sale among them, and breadcrumbs', async () => {
    expect(tabs[0]?.name).toBe('Storefront')
    const { products } = (await answerOf('Storefront')).storefront.release.hierarchy
    expect(products.nodes).toHaveLength(4)
    expect(products.nodes[0]).toEqual({
      name: 'Ethiopia Yirgacheffe',
      sku: 'ETH-YIRG',
      price: {
        amount: { formatted: '$13.05' },
        includesTax: false,
        list: { amount: { amount: 1450 } },
        sale: { name: 'Harvest festival' },
      },
      breadCrumbs: [{ ancestors: [{ name: 'Coffee' }, { name: 'Single Origin' }, { name: 'Africa' }], node: { name: 'Ethiopia' } }],
    })
  })

  test('a price is explained by its sale, its tier and its next change', async () => {
    const { now, more, later } = (await answerOf('WhyThisPrice')).storefront.release.product
    expect(now).toMatchObject({
      amount: { amount: 1305, currency: 'USD' },
      sale: { name: 'Harvest festival' },
      tier: null,
      changesAt: '2045-01-01T00:00:00.000Z',
    })
    expect(more).toMatchObject({ amount: { amount: 1140, currency: 'EUR' }, sale: null, tier: 'case of twelve' })
    expect(later).toMatchObject({ amount: { currency: 'GBP' }, sale: { name: 'Anniversary 2045' } })
  })

  test("a shopper's own selection has another price than the default one", async () => {
    const { asItComes, myOwn } = (await answerOf('OwnBundle')).storefront.release.product
    expect(asItComes.selectedOptions).not.toEqual(myOwn.selectedOptions)
    expect(asItComes.price.amount.amount).not.toBe(myOwn.price.amount.amount)
  })

  test('a subscription ends in its initial state, with all actions recorded', async () => {
    const { begin, cancel, pause, resume } = await answerOf('SubscriptionLife')
    expect(begin.subscription).toMatchObject({ status: 'ACTIVE', offering: { name: 'Coffee at home' } })
    expect([cancel.subscription.canceled, pause.subscription.paused]).toEqual([true, true])
    expect(resume.subscription).toMatchObject({ canceled: false, paused: false })
    expect(resume.subscription.states.nodes.map(({ action }: { action: string }) => action)).toEqual([
      'RESUME',
      'PAUSE',
      'RESUME',
      'CANCEL',
    ])
  })
})
