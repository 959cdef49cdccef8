/** Subscriptions in /explore: found by who has them, changed after a preview, and what comes of them. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoIds } from '../../src/demo/demo-ids.ts'
import { type Answer, type Explore, startExplore, texts } from '../support/explore.ts'

let explore: Explore
const account = 'c0ffee00-00aa-4000-8000-000000000077'
let id = ''

beforeAll(async () => {
  explore = await startExplore()
  const input = {
    ...{ accountId: account, offeringId: demoIds.offering, planId: demoIds.plan, currency: 'EUR' },
    ...{ name: 'Ada Roaster', email: 'ada@roasters.example' },
  }
  const created = await explore.act('createSubscription', 'CreateSubscriptionInput', input, 'subscription { id }')
  id = created.subscription.id
})

afterEach(async ({ task }) => explore?.browser.leave(task.result?.state === 'fail' ? `failed: ${task.name}` : null))

afterAll(() => explore?.stop())

const read = async (fields: string): Promise<Answer> =>
  (await explore.ask(`query Read($id: ID!) { node(id: $id) { ... on AccountSubscription { ${fields} } } }`, { id }))
    .node

test('subscriptions are found by a part of the name or the email of their subscriber', async () => {
  for (const who of ['Roaster', 'ada@roasters']) {
    const page = await explore.open(`?view=subscriptions&who=${encodeURIComponent(who)}`)
    await page.locator('.subscription').waitFor()
    expect(await texts(page, '.subscription > .soft')).toEqual([
      'Ada Roaster, ada@roasters.example · Which catalog this customer sees',
    ])
  }
  const page = await explore.open('?view=subscriptions&who=nobody@nowhere')
  expect(await texts(page, '.empty')).toEqual(['No subscriber has this email; a text with @ is looked for in emails.'])
  const other = await explore.open('?view=subscriptions&role=shopper&who=Roaster')
  expect(await other.getByLabel('Name or email').count()).toBe(0)
  expect(await other.getByText('Ada Roaster').count()).toBe(0)
})

test('an administrator begins with the list of all subscriptions, by state; each leads to those of its account, and on to the catalog of its customer', async () => {
  const page = await explore.open('?view=subscriptions')
  const { subscriptions } = await explore.ask(
    '{ subscriptions(first: 25, filter: {}) { nodes { phase subscriber { name email } } } }',
  )
  const rows = () => texts(page, '.subscriptions tbody th')
  const named = (nodes: Answer[]) => nodes.map(({ subscriber }) => `${subscriber.name}${subscriber.email}`)
  expect(await rows()).toEqual(named(subscriptions.nodes))
  await explore.inspect(page, 'all subscriptions')
  await page.setViewportSize({ width: 1920, height: 850 })
  const [field, choice, table] = await Promise.all(
    [page.getByLabel('Account'), page.getByLabel('State'), page.locator('.subscriptions')].map((of) =>
      of.boundingBox(),
    ),
  )
  expect(choice?.y).toBe(field?.y)
  expect(table?.width).toBeGreaterThan(1500)
  await page.getByLabel('State').selectOption('paused')
  await expect
    .poll(async () => (await rows()).length)
    .toBe(subscriptions.nodes.filter(({ phase }: Answer) => phase === 'PAUSED').length)
  await page.getByLabel('State').selectOption('any')
  const state = await page
    .getByRole('row', { name: /Ada Roaster/ })
    .locator('.badge')
    .textContent()
  await page.getByRole('link', { name: 'Ada Roaster' }).click()
  await page.locator('.subscription').waitFor()
  expect(await page.locator('.subscription .state').textContent()).toBe(state)
  expect(new URL(page.url()).searchParams.get('account')).toBe((await read('account { id }')).account.id)
  await expect.poll(() => texts(page, '.account-names')).toEqual(['Account of Ada Roaster'])
  await page.getByRole('link', { name: 'Which catalog this customer sees' }).click()
  const { storefront } = await explore.ask('{ storefront { name } }')
  await expect
    .poll(() => texts(page, '.verdict'))
    .toEqual([`This shopper sees ${storefront.name}, since no rule matches.`])
})

test('under the next amount stand its lines, and where their unit amounts come from', async () => {
  const { items, nextAmount, startsAt } = await read(
    'startsAt nextAmount { formatted } items { name quantity unitAmount { formatted } }',
  )
  const page = await explore.open(`?view=subscriptions&account=${account}`)
  await page.getByText(`The next invoice, of ${nextAmount.formatted}`).waitFor()
  expect(items.length).toBeGreaterThan(1)
  await expect
    .poll(() => texts(page, '.next-lines li'))
    .toEqual(items.map(({ name, quantity, unitAmount }: Answer) => `${quantity} × ${name} at ${unitAmount.formatted}`))
  const day = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const
  expect(await texts(page, '.next-lines p')).toEqual([
    `Unit amounts are agreed from ${new Date(startsAt).toLocaleDateString('en-US', day)} on, under the plan Monthly: ` +
      "each is the subscription product's price when it was agreed. A later list price does not change them.",
  ])
})

test('products of a subscription change after its next invoices were shown, as the graph previews them', async () => {
  const { items } = await read('items { productId }')
  const products = [{ productId: items[0].productId, quantity: 3 }]
  const dry = await explore.act(
    'changeSubscription',
    'ChangeSubscriptionInput',
    { id, items: products, at: { moment: 'PERIOD_END' }, dryRun: true },
    'preview { before { upcomingInvoices(first: 3) { amount { amount formatted } } } after { upcomingInvoices(first: 3) { amount { amount formatted } } } }',
  )
  const amounts = ({ upcomingInvoices }: Answer) => upcomingInvoices.map(({ amount }: Answer) => amount.formatted)
  const expected = [...amounts(dry.preview.before), ...amounts(dry.preview.after)]
  expect(expected[0]).not.toBe(expected[3])

  const page = await explore.open(`?view=subscriptions&account=${account}`)
  await page.getByRole('button', { name: 'Change plan or products…' }).click()
  await page
    .getByLabel(/^How many of/)
    .nth(0)
    .fill('3')
  for (let other = 1; other < items.length; other++)
    await page
      .getByLabel(/^How many of/)
      .nth(other)
      .fill('0')
  await page.locator('[name=at]').selectOption('PERIOD_END')
  expect(await page.locator('[name=replace]').count()).toBe(0)
  expect(await page.getByLabel('What is left of the paid period').locator('option').allTextContents()).toEqual([
    'is credited, and what is new charged from then on',
    'stays paid as it is',
  ])
  await page.getByRole('button', { name: 'Preview the invoices' }).click()
  await expect.poll(() => texts(page, '.forecasts td.number')).toEqual(expected)
  expect((await read('scheduledChanges { key }')).scheduledChanges).toEqual([])
  await explore.inspect(page, 'subscription-change')
  const total = (list: Answer) => list.upcomingInvoices.reduce((sum: number, one: Answer) => sum + one.amount.amount, 0)
  const euros = (cents: number) => (cents / 100).toLocaleString('en', { style: 'currency', currency: 'EUR' })
  const [old, now] = [total(dry.preview.before), total(dry.preview.after)]
  expect(await texts(page, '.totals')).toEqual([
    `The next 3 invoices together: ${euros(old)} → ${euros(now)}, +${euros(now - old)}.`,
  ])
  await page.getByRole('button', { name: 'Change it' }).click()
  await page.getByText('Scheduled: change').waitFor()
  await page.getByText('The change is stored').waitFor()
  expect((await read('scheduledChanges { items { quantity } }')).scheduledChanges).toEqual([
    { items: [{ quantity: 3 }] },
  ])
  // Only now there is one whose place another change could take.
  await page.getByRole('button', { name: 'Change plan or products…' }).click()
  await page.getByLabel('in place of the change that is scheduled').waitFor()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect.poll(async () => (await read('scheduledChanges { key }')).scheduledChanges).toEqual([])
})

test('a change that a rule forbids says so beside its field', async () => {
  const page = await explore.open(`?view=subscriptions&account=${account}`)
  await page.getByRole('button', { name: 'Change plan or products…' }).click()
  await page
    .getByLabel(/^How many of/)
    .first()
    .waitFor()
  const count = await page.getByLabel(/^How many of/).count()
  for (let index = 0; index < count; index++)
    await page
      .getByLabel(/^How many of/)
      .nth(index)
      .fill('0')
  await page.getByRole('button', { name: 'Preview the invoices' }).click()
  await expect.poll(() => texts(page, '.changing .failed')).toHaveLength(1)
  expect(await page.locator('.forecasts').count()).toBe(0)
})

test('a plan that ends and allows less is asked for once more, with what follows; its note moves no button', async () => {
  const given = 'c0ffee00-00aa-4000-8000-000000000078'
  const created = await explore.act(
    ...(['createSubscription', 'CreateSubscriptionInput'] as const),
    {
      ...{ accountId: given, offeringId: demoIds.offering, planId: demoIds.plan, currency: 'USD' },
      ...{ name: 'Gift Giver', email: 'giver@example.com' },
    },
    'subscription { id }',
  )
  const present = async () =>
    (
      await explore.ask('query Plan($id: ID!) { node(id: $id) { ... on AccountSubscription { plan { name } } } }', {
        id: created.subscription.id,
      })
    ).node.plan.name
  const page = await explore.open(`?view=subscriptions&account=${given}`)
  await page.getByRole('button', { name: 'Change plan or products…' }).click()
  const submit = page.getByRole('button', { name: 'Preview the invoices' })
  const before = await submit.boundingBox()
  await page.locator('[name=plan]').selectOption('A year as a gift')
  await page.getByText('Under this plan it can no longer be paused or canceled.').waitFor()
  expect(await submit.boundingBox()).toEqual(before)
  await submit.click()
  await page.locator('.effects').waitFor()
  const { preview } = await explore.act(
    ...(['changeSubscription', 'ChangeSubscriptionInput'] as const),
    { id: created.subscription.id, planId: demoIds.giftPlan, dryRun: true },
    'preview { after { endDate upcomingInvoices { amount { formatted } } } }',
  )
  expect(preview.after.upcomingInvoices).toEqual([{ amount: { formatted: '$756.00' } }])
  const effects = [
    'It takes effect at once.',
    expect.stringMatching(/^It ends at .*; so far it goes on without an end\.$/),
    'It can no longer be paused or canceled.',
  ]
  expect(await texts(page, '.effects li')).toEqual(effects)
  expect(await page.locator('.effects time').getAttribute('datetime')).toBe(preview.after.endDate)
  await page
    .getByText("Under the plan A year as a gift each unit amount is 12 × the subscription product's price, less 10%.")
    .waitFor()
  await page.getByRole('button', { name: 'Change it…' }).click()
  expect(await texts(page, '.question .question li')).toEqual(effects)
  await explore.inspect(page, 'subscription-change asked')
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('button', { name: 'Change it…' }).click()
  expect(await present()).toBe('Monthly')
  await page.getByRole('button', { name: 'Yes, change it' }).click()
  await page.getByText('Changed: plan Monthly → A year as a gift.').waitFor()
  expect(await present()).toBe('A year as a gift')
})

test('the coming year of a subscription lists what its timeline has', async () => {
  const page = await explore.open(`?view=subscriptions&account=${account}`)
  await page.getByRole('button', { name: 'The coming year' }).click()
  const from = new Date().toISOString()
  const to = new Date(Date.now() + 366 * 86_400_000).toISOString()
  const { timeline } = await read(
    `timeline(from: "${from}", to: "${to}", first: 100) { entries { at invoice { amount { formatted } } } }`,
  )
  expect(timeline.entries.length).toBeGreaterThan(10)
  const instants = () =>
    page.locator('.subscription-more th time').evaluateAll((all) => all.map((one) => one.getAttribute('datetime')))
  await expect.poll(instants).toEqual(timeline.entries.map(({ at }: Answer) => at))
  const amounts = timeline.entries.map(({ invoice }: Answer) => invoice?.amount.formatted ?? '')
  expect(await texts(page, '.subscription-more td.number')).toEqual(amounts)
})

const ITEMS = 'items { productId name sku quantity unitAmount { formatted } }'
const itemText = ({ name, sku, quantity, unitAmount }: Answer) =>
  `${quantity} × ${name}${sku ? ` (${sku})` : ''} at ${unitAmount.formatted}`

test('terms, phases and invoices of a subscription are drawn to scale, what is scheduled dashed', async () => {
  const { items, startsAt, trialEndsAt } = await read(`startsAt trialEndsAt ${ITEMS}`)
  const at = new Date(Date.parse(startsAt) + 100 * 86_400_000).toISOString()
  const pausedAt = new Date(Date.parse(startsAt) + 200 * 86_400_000).toISOString()
  const products = [{ productId: items[0].productId, quantity: 4 }]
  await explore.act('changeSubscription', 'ChangeSubscriptionInput', { id, items: products, at: { instant: at } })
  await explore.act('pauseSubscription', 'PauseSubscriptionInput', { id, at: { instant: pausedAt } })
  const { upcomingInvoices } = await read('upcomingInvoices(first: 100) { dueAt amount { formatted } }')
  const page = await explore.open(`?view=subscriptions&account=${account}`)
  // The line of states has the pause where it begins, not where it was asked for.
  const states = async (parts: string) =>
    page.locator(`.subscription ${parts}`).evaluateAll((all) => all.map((one) => one.className))
  expect(await states('.line span')).toEqual(['trial', 'active ahead', 'paused ahead'])
  expect((await texts(page, '.life li')).map((text) => text.replace(/ (from|since) .*/, ''))).toEqual([
    'trial',
    'active',
    'paused',
  ])
  expect(await page.locator('.life .paused.ahead time').getAttribute('datetime')).toBe(pausedAt)
  await page.setViewportSize({ width: 390, height: 850 })
  const crossed = await page.locator('.subscription .line i').evaluateAll((marks) => {
    const boxes = marks.map((mark) => {
      const range = document.createRange()
      range.selectNodeContents(mark)
      return { tick: mark.getBoundingClientRect(), name: range.getBoundingClientRect() }
    })
    return boxes.flatMap(({ name }, at) =>
      boxes.map(
        ({ tick }, other) =>
          at !== other &&
          tick.left < name.right &&
          tick.right > name.left &&
          tick.top < name.bottom &&
          tick.bottom > name.top,
      ),
    )
  })
  expect(crossed).toEqual([false, false, false, false])
  await page.getByRole('button', { name: 'The coming year' }).click()
  const rows = page.locator('.subscription .time-row')
  await rows.first().waitFor()
  const shown = await texts(page, '.subscription .time-row > :first-child')
  expect(
    shown.map((text) => text.replaceAll(/(from|to) [A-Z][a-z]+, [A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M UTC/g, '$1 …')),
  ).toEqual([
    `Monthly: ${items.map(itemText).join(', ')} from … to …`,
    `Monthly: ${itemText({ ...items[0], quantity: 4 })} scheduled from …`,
    'trial from … to …active scheduled from … to …paused scheduled from …',
    expect.stringMatching(/^0 invoices since .*, \d+ ahead, the next of .*$/),
    expect.stringMatching(/^Times in /),
  ])
  expect(shown[3]).toContain(`${upcomingInvoices.length} ahead, the next of ${upcomingInvoices[0].amount.formatted}`)
  const classes = (row: number, part: string) =>
    rows
      .nth(row)
      .locator(`.bands ${part}`)
      .evaluateAll((bands) => bands.map((band) => band.className))
  expect(await classes(0, 'span')).toEqual(['on'])
  expect(await classes(1, 'span')).toEqual(['on ahead onward'])
  expect(await classes(2, 'span')).toEqual(['on', 'on ahead', 'off ahead onward'])
  expect(await classes(3, 'b')).toEqual(upcomingInvoices.map(() => 'ahead'))
  const box = async (row: number, part: string, one = 0) =>
    (await rows.nth(row).locator(`.bands ${part}`).nth(one).boundingBox()) ?? { x: 0, width: 0 }
  const start = (await box(0, 'span')).x
  const share = (instant: string): number => (Date.parse(instant) - Date.parse(startsAt)) / (100 * 86_400_000)
  const { width: length } = await box(0, 'span')
  for (const [row, part, one, instant] of [
    [1, 'span', 0, at],
    [2, 'span', 1, trialEndsAt],
    [2, 'span', 2, pausedAt],
  ] as const)
    expect(((await box(row, part, one)).x - start) / length).toBeCloseTo(share(instant), 1)
  const due = await box(3, 'b')
  expect((due.x + due.width / 2 - start) / length).toBeCloseTo(share(upcomingInvoices[0].dueAt), 1)
  await explore.inspect(page, 'subscription over time')
})

test('terms that are over are drawn with the items that held then', async () => {
  const { items } = await read(ITEMS)
  const products = [{ productId: items[0].productId, quantity: 7 }]
  await explore.act('changeSubscription', 'ChangeSubscriptionInput', { id, items: products, replace: true })
  const page = await explore.open(`?view=subscriptions&account=${account}`)
  await page.getByRole('button', { name: 'The coming year' }).click()
  await page.locator('.subscription .time-row').first().waitFor()
  const [over, now] = await texts(page, '.subscription .time-row > :first-child')
  expect(over).toContain(`Monthly: ${items.map(itemText).join(', ')} from `)
  expect(now).toContain(`Monthly: ${itemText({ ...items[0], quantity: 7 })} from `)
})

test('no page of subscriptions logged an error', () => {
  expect(explore.browser.complaints).toEqual([])
})
