/** What administrators wait for: the draft of a release, its difference, publishing what it shows, and sales on many prices at once. */
import { calmly } from './calm.ts'
import { adminHeaders, startOurs } from './contenders/our-server.ts'
import { addressOf, catalogId, made, openAt } from './data.ts'
import type { Running } from './process.ts'
import { markdown, shown } from './report.ts'

const TURNS = 3
/** Of 100,000. */
const CHANGED = 10_000
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
  readonly summary: number
  readonly fromDraft: number
  readonly republish: number
}

export async function measureRunningTheShop(name: string): Promise<string[]> {
  const running = await startOurs(addressOf(name))
  const database = await openAt(name)
  try {
    const send = await sender(running)
    const change = (turn: number) =>
      database.pool.query(
        `WITH changed AS (UPDATE product SET description = 'Turn ' || $2, updated_at = now() WHERE id < $1 RETURNING sku)
        UPDATE product_price p SET currencies = jsonb_set(p.currencies, '{USD,amount}', to_jsonb(500 + (hashtext(p.sku || $2) & 8191))), updated_at = now()
        FROM changed WHERE p.sku = changed.sku`,
        [made('product', CHANGED + 10), String(turn)],
      )
    const turns: Turn[] = []
    for (let turn = 1; turn <= TURNS; turn++) turns.push(await calmly(() => oneTurn(send, () => change(Math.round(performance.now())))))
    const median = (of: keyof Turn) => turns.map((turn) => turn[of]).sort((left, right) => left - right)[Math.floor(TURNS / 2)] as number
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
          ['number of products that differ', ms(median('summary')), ''],
          ['draft, read first', `${shown(median('draft'))} s, ${shown(median('draft') / median('republish'))} of a republish`, '1 of it'],
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

async function oneTurn(send: Send, change: () => Promise<unknown>): Promise<Turn> {
  const publish = (fromDraft: string) =>
    send(`mutation { publishRelease(input: { catalogId: "${catalogId}"${fromDraft} }) { userErrors { message } } }`)
  await change()
  const republish = await publish('')
  await change()
  const draft = await send(draftId)
  const ofDraft = difference(send, draft.data.catalog.draft.id)
  const firstPage = await ofDraft(page('first: 25'))
  const byName = await furtherPages(ofDraft, '')
  const summary = await ofDraft('changesSince(releaseId: "latest", first: 0) { totalCount }')
  const fromDraft = await publish(`, fromDraft: "${draft.data.catalog.draft.id}"`)
  await change()
  const another = difference(send, (await send(draftId)).data.catalog.draft.id)
  const bySize = ', orderBy: { field: RELATIVE_PRICE_DIFFERENCE, direction: DESC, currency: "USD" }'
  const firstBySize = await another(page(`first: 25${bySize}`))
  return {
    draft: draft.seconds,
    firstPage: firstPage.seconds,
    page: byName,
    firstBySize: firstBySize.seconds,
    pageBySize: await furtherPages(another, bySize),
    summary: summary.seconds,
    fromDraft: fromDraft.seconds,
    republish: republish.seconds,
  }
}

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
    const response = await fetch(`${running.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) })
    const text = await response.text()
    const seconds = (performance.now() - begun) / 1000
    const { data, errors } = JSON.parse(text)
    const problems = errors ?? Object.values(data).flatMap((one) => (one as { userErrors?: unknown[] }).userErrors ?? [])
    if (problems.length > 0) throw new Error(JSON.stringify(problems.slice(0, 3)))
    return { data, seconds }
  }
}

export function ms(seconds: number): string {
  return `${Math.round(seconds * 1000)} ms`
}
