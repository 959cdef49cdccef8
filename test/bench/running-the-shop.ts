/**
 * What administrators wait for: the draft of a release, its difference, publishing what it shows, and sales on many
 * prices at once.
 */
import { calmly } from './calm.ts'
import { adminHeaders, startOurs } from './contenders/our-server.ts'
import { addressOf, catalogId, made, openAt } from './data.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'

const TURNS = 3
/** Of 100,000. */
const CHANGED = 10_000
const FEW = 10
/** Pages of a walk through a difference. */
const PAGES = 31

/** Sends an operation as an administrator; seconds until its whole response. */
export type Send = (query: string, variables?: object) => Promise<{ readonly data: Data; readonly seconds: number }>
interface Data {
  readonly catalog: {
    readonly draft: { readonly id: string }
    readonly release?: { readonly changesSince: { readonly pageInfo: { readonly endCursor: string } } }
  }
}

export const addSales =
  'mutation ($input: AddSalesInput!) { addSales(input: $input) { campaign { rows { outcome } } userErrors { message } } }'

/** The figures of one turn, in seconds. */
interface Turn {
  readonly draft: number
  readonly firstPage: number
  readonly page: number
  readonly firstBySize: number
  readonly pageBySize: number
  readonly count: number
  readonly summary: number
  readonly few: Compared
  readonly none: Compared
  readonly fromDraft: number
  readonly republish: number
}

/** Seconds until a comparison of two releases that nobody compared before, whose first page is asked first. */
interface Compared {
  readonly firstPage: number
  readonly page: number
  readonly summary: number
}

export async function measureRunningTheShop(name: string): Promise<string[]> {
  const running = await startOurs(addressOf(name))
  const database = await openAt(name)
  try {
    const send = await sender(running)
    const change = (products: number) =>
      database.pool.query(
        `WITH changed AS (UPDATE product SET description = 'Turn ' || $2, updated_at = now() WHERE id < $1 RETURNING sku)
        UPDATE product_price p SET currencies = jsonb_set(p.currencies, '{USD,amount}', to_jsonb(500 + (hashtext(p.sku || $2) & 8191))), updated_at = now()
        FROM changed WHERE p.sku = changed.sku`,
        [made('product', products + 10), String(Math.round(performance.now()))],
      )
    const turns: Turn[] = []
    for (let turn = 1; turn <= TURNS; turn++) turns.push(await calmly(() => oneTurn(send, change)))
    const medianOf = (read: (turn: Turn) => number) =>
      turns.map(read).sort((left, right) => left - right)[Math.floor(TURNS / 2)] as number
    const median = (of: Exclude<keyof Turn, 'few' | 'none'>) => medianOf((turn) => turn[of])
    const compared = (of: 'few' | 'none') =>
      (['firstPage', 'page', 'summary'] as const).map((part) => ms(medianOf((turn) => turn[of][part]))).join(', ')
    const sales: string[][] = []
    for (const count of [1_000, 10_000]) {
      const skus = Array.from({ length: count }, (_, index) => `SKU-${String(index + 10).padStart(6, '0')}`)
      const input = {
        priceBookId: made('book', 1),
        name: `sale of ${count}`,
        skus,
        change: { percentOff: 10 },
        schedule: { validFrom: new Date(Date.UTC(2030, 0, 1) + count).toISOString() },
      }
      const campaign = (dryRun: boolean) => send(addSales, { input: { ...input, dryRun } })
      const dry = await campaign(true)
      const written = await campaign(false)
      sales.push([`sale on ${count} prices: dry run, written`, `${ms(dry.seconds)}, ${ms(written.seconds)}`, ''])
    }
    return [
      `Of 100,000 published products ${CHANGED} got another description and price; medians of ${TURNS} turns.`,
      '',
      ...markdown(
        ['', 'measured', 'goal'],
        [
          ['first page of the difference, 25 products, asked first', ms(median('firstPage')), '100 ms'],
          [`${PAGES - 1} further pages of 70 to 99 products, each`, ms(median('page')), ''],
          ['first page by the size of the change of price, asked first', ms(median('firstBySize')), '100 ms'],
          [`${PAGES - 1} further pages of 70 to 99 products by that, each`, ms(median('pageBySize')), ''],
          ['number of products that differ', ms(median('count')), ''],
          [`summary of ${CHANGED} changes, with prices and nodes`, ms(median('summary')), ''],
          [`difference of ${FEW} changes: first page, another one, summary`, compared('few'), ''],
          ['difference of none: the same', compared('none'), ''],
          [
            'draft, read first',
            `${shown(median('draft'))} s, ${shown(median('draft') / median('republish'))} of a republish`,
            '1 of it',
          ],
          ['publish from the draft', `${shown(median('fromDraft'))} s`, ''],
          ['publish without a draft', `${shown(median('republish'))} s`, ''],
          ...sales,
        ],
      ),
    ]
  } finally {
    await database.close()
    await running.stop()
  }
}

async function oneTurn(send: Send, change: (products: number) => Promise<unknown>): Promise<Turn> {
  const publish = (fromDraft: string) =>
    send(`mutation { publishRelease(input: { catalogId: "${catalogId}"${fromDraft} }) { userErrors { message } } }`)
  const draftOf = async () => difference(send, (await send(draftId)).data.catalog.draft.id)
  await change(CHANGED)
  const republish = await publish('')
  await change(CHANGED)
  const draft = await send(draftId)
  const ofDraft = difference(send, draft.data.catalog.draft.id)
  const firstPage = await ofDraft(page('first: 25'))
  const byName = await furtherPages(ofDraft, '')
  const count = await ofDraft('changesSince(releaseId: "latest", first: 0) { totalCount }')
  const fromDraft = await publish(`, fromDraft: "${draft.data.catalog.draft.id}"`)
  const none = await compare(await draftOf())
  await change(FEW)
  const few = await compare(await draftOf())
  await change(CHANGED)
  const another = await draftOf()
  const bySize = ', orderBy: { field: RELATIVE_PRICE_DIFFERENCE, direction: DESC, currency: "USD" }'
  const firstBySize = await another(page(`first: 25${bySize}`))
  const pageBySize = await furtherPages(another, bySize)
  const summary = await another(wholeSummary)
  return {
    draft: draft.seconds,
    firstPage: firstPage.seconds,
    page: byName,
    firstBySize: firstBySize.seconds,
    pageBySize,
    count: count.seconds,
    summary: summary.seconds,
    few,
    none,
    fromDraft: fromDraft.seconds,
    republish: republish.seconds,
  }
}

/** Compares a draft with the latest release, once both are in memory. */
async function compare(draft: ReturnType<typeof difference>): Promise<Compared> {
  await draft('productCount')
  const [firstPage, another] = [await draft(page('first: 25')), await draft(page('first: 24'))]
  return { firstPage: firstPage.seconds, page: another.seconds, summary: (await draft(wholeSummary)).seconds }
}

const wholeSummary = `summarySince(releaseId: "latest") {
  added removed changed priceChanges { currency up down } nodes { added removed changed moved } nodeChanges { kind } }`

const draftId = `{ catalog(id: "${catalogId}") { draft { id } } }`

const page = (arguments_: string): string =>
  `changesSince(releaseId: "latest", ${arguments_}) { nodes { kind fields after { id } before { name } priceChanges { currency } } pageInfo { endCursor } }`

/** Asks for fields of a draft. */
const difference = (send: Send, id: string) => (fields: string) =>
  send(`{ catalog(id: "${catalogId}") { release(id: "${id}") { ${fields} } } }`)

/** Seconds of a page, the mean of a walk by pages of different lengths. */
async function furtherPages(ask: ReturnType<typeof difference>, order: string): Promise<number> {
  let [seconds, after] = [0, '']
  for (let length = 100; length > 100 - PAGES; length--) {
    const shown = await ask(page(`first: ${length}${order}${after}`))
    after = `, after: "${shown.data.catalog.release?.changesSince.pageInfo.endCursor}"`
    // The first is where the walk begins.
    if (length < 100) seconds += shown.seconds
  }
  return seconds / (PAGES - 1)
}

export async function sender(running: Running): Promise<Send> {
  const headers = { ...(await adminHeaders(running)), 'content-type': 'application/json' }
  return async (query, variables = {}) => {
    const begun = performance.now()
    const response = await fetch(`${running.url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query, variables }),
    })
    const text = await response.text()
    const seconds = (performance.now() - begun) / 1000
    const { data, errors } = JSON.parse(text)
    const problems =
      errors ?? Object.values(data).flatMap((one) => (one as { userErrors?: unknown[] }).userErrors ?? [])
    if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)))
    return { data, seconds }
  }
}

export function ms(seconds: number): string {
  return `${Math.round(seconds * 1000)} ms`
}
