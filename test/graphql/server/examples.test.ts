import { beforeAll, describe, expect, test } from 'vitest'
import { demoIds } from '../../../src/demo/demo-ids.ts'
import { loadDemo } from '../../../src/demo/demo-store.ts'
import { examples, nameOf } from '../../../src/graphql/server/examples.ts'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
type Answer = any
const tabs = examples.map((example) => ({ name: nameOf(example), ...example }))

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

  test.each(tabs)("GraphiQL's tab $name runs for an admin without errors, repeatedly", async (tab) => {
    for (const _ of [1, 2]) {
      const { data, errors, userErrors } = await run(tab, 'admin')
      expect({ errors, userErrors }).toEqual({ errors: undefined, userErrors: [] })
      expect(Object.values(data)).not.toContain(null)
    }
  })

  test.each(tabs)(
    "right.shoppers-see-published-and-own: GraphiQL's tab $name runs for a shopper only if it is marked so",
    async (tab) => {
      const { errors = [] } = await run(tab, 'shopper')
      const codes = errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)
      expect([...new Set(codes)]).toEqual(tab.right === 'anyone' ? [] : ['FORBIDDEN'])
    },
  )

  const answerOf = async (name: string) => {
    const tab = tabs.find((each) => each.name === name)
    if (!tab) throw new Error(`no tab ${name}`)
    return (await run(tab, 'admin')).data
  }

  test("GraphiQL's first tab shows a category in the order of price, a sale among it, and its facets without their own filter", async () => {
    expect(tabs[0]?.name).toBe('Category')
    const { name, products } = (await answerOf('Category')).storefront.latestRelease.node
    expect([name, products.totalCount]).toEqual(['Single Origin', 6])
    const lines = products.nodes.map((node: Answer) => [node.name, node.price.amount.formatted, node.price.sale?.name])
    expect(lines).toEqual([
      ['Colombia Huila', '$12.50', undefined],
      ['Guatemala Antigua', '$13.00', undefined],
      ['Ethiopia Yirgacheffe', '$13.05', 'Harvest festival'],
      ['Peru Cajamarca', '$13.50', undefined],
    ])
    expect(products.nodes[2].price.originalAmount).toEqual({ formatted: '$14.50' })
    expect(products.priceRange).toEqual({ min: { formatted: '$12.50' }, max: { formatted: '$14.68' } })
    const [tags, onSale] = products.facets
    expect(tags.values[0]).toEqual({ value: 'single origin', count: 8, selected: false })
    expect(tags.values.find(({ value }: Answer) => value === 'washed')).toEqual({
      value: 'washed',
      count: 6,
      selected: true,
    })
    expect(onSale.values.find(({ value }: Answer) => value === 'true')).toEqual({
      value: 'true',
      count: 1,
      selected: false,
    })
  })

  test("GraphiQL's tab of a search finds what was written with a mistake, best match first", async () => {
    const { products } = (await answerOf('Search')).storefront.latestRelease
    expect(products.nodes.map(({ name }: Answer) => name)).toEqual(['Espresso Cup', 'Moka Pot, 3 cups'])
  })

  test("GraphiQL's tab of the menu has the hierarchies in the order of the catalog, and what is below each by its sort order", async () => {
    const { menu } = (await answerOf('Menu')).storefront.latestRelease
    const lines = menu.map(({ level, node }: Answer) => `${level} ${node.name}`)
    expect(lines.slice(0, 6)).toEqual([
      '1 Coffee',
      '2 Single Origin',
      '2 Blends',
      '2 Decaf',
      '1 Equipment',
      '2 Grinders',
    ])
    expect(lines.slice(6)).toEqual([
      '2 Brewers',
      '2 Kettles',
      '2 Accessories',
      '1 Gifts',
      '2 Sets',
      '2 Gift Cards',
      '2 Wear',
    ])
  })

  test("GraphiQL's tab of an explained price has the candidates that lost", async () => {
    const { one, more, euros } = (await answerOf('Price')).storefront.latestRelease.product
    const outcomes = ({ explanation }: Answer) =>
      explanation.map(({ kind, name, outcome }: Answer) => `${kind} ${name} ${outcome}`)
    expect(one).toMatchObject({
      amount: { amount: 1305, currency: 'USD' },
      lowestPrior: null,
      changesAt: '2045-01-01T00:00:00.000Z',
    })
    expect(outcomes(one)).toEqual([
      `BOOK ${demoIds.priceBook} APPLIED`,
      'LIST null OUTRANKED',
      'SALE Summer 2023 NOT_RUNNING',
      'SALE Anniversary 2045 NOT_RUNNING',
      'SALE Harvest festival APPLIED',
      'TIER case of four NOT_REACHED',
      'TIER case of twelve NOT_REACHED',
    ])
    expect(more.amount).toEqual({ amount: 1189, currency: 'USD' })
    expect(outcomes(more).slice(-3)).toEqual([
      'SALE Harvest festival YIELDED',
      'TIER case of four OUTRANKED',
      'TIER case of twelve APPLIED',
    ])
    expect(euros.amount).toEqual({ amount: 1251, currency: 'EUR' })
  })

  test("GraphiQL's tab of a timeline has the sales of past, present and future, with what a product cost before one", async () => {
    const { priceTimeline, inTheSale } = (await answerOf('Timeline')).storefront.latestRelease.product
    expect(
      priceTimeline.map(({ from, price }: Answer) => [from.slice(0, 10), price.amount.formatted, price.sale?.name]),
    ).toEqual([
      ['2023-01-01', '$14.50', undefined],
      ['2023-06-01', '$13.34', 'Summer 2023'],
      ['2023-09-01', '$14.50', undefined],
      ['2025-01-01', '$13.05', 'Harvest festival'],
      ['2045-01-01', '$12.90', 'Anniversary 2045'],
      ['2046-01-01', '$14.50', undefined],
    ])
    expect(inTheSale).toEqual({ amount: { formatted: '$12.90' }, lowestPrior: { formatted: '$13.05' } })
  })

  test("GraphiQL's tab of a bundle has another price for a shopper's own choice than for the default one, and none but issues for an unfinished one", async () => {
    const { asItComes, myOwn, unfinished } = (await answerOf('Bundle')).storefront.latestRelease.product
    expect([asItComes.valid, myOwn.valid, unfinished.valid]).toEqual([true, true, false])
    expect(asItComes.price.amount.amount).not.toBe(myOwn.price.amount.amount)
    expect(unfinished.price).toBeNull()
    expect(unfinished.issues.map(({ code, path }: Answer) => [code, path])).toEqual(
      Array(3).fill(['INVALID_STRUCTURE', ['selection']]),
    )
  })

  test("GraphiQL's tab of a subscription ends in its initial state, with all actions recorded", async () => {
    const { begin, cancel, pause, resume } = await answerOf('Subscribe')
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

  test("GraphiQL's tab of a campaign shows each price before and after, and writes nothing", async () => {
    const { campaign } = (await answerOf('Campaign')).addSales
    expect([campaign.changedCount, campaign.refusedCount]).toEqual([3, 0])
    const euros = campaign.rows.map(({ sku, prices: [{ before, after }] }: Answer) => [
      sku,
      before.amount.formatted,
      after.amount.formatted,
    ])
    expect(euros).toEqual([
      ['BRW-DRIP', '€22.00', '€17.60'],
      ['BRW-AIR', '€37.00', '€29.60'],
      ['KET-STOVE', '€45.00', '€36.00'],
    ])
    expect((await answerOf('Campaign')).addSales.campaign.changedCount).toBe(3)
  })

  test("GraphiQL's tab of another plan has the invoices as it is and with the change", async () => {
    const { before, after } = (await answerOf('ChangePlan')).changeSubscription.preview
    const amounts = ({ upcomingInvoices }: Answer) => upcomingInvoices.map(({ amount }: Answer) => amount.formatted)
    expect([amounts(before), amounts(after)]).toEqual([['$70.00', '$70.00'], ['$756.00']])
  })

  test("GraphiQL's tab of what is due has an invoice, and that of the history who wrote it", async () => {
    const { invoices } = (await answerOf('Due')).invoicesDue
    expect(invoices.map(({ amount }: Answer) => amount.formatted)).toContain('$70.00')
    const { nodes } = (await answerOf('History')).history
    expect(nodes).toHaveLength(5)
  })
})
