/** What shoppers ask for gives no money back, in whichever order they ask. */
import { beforeAll, describe, expect, test } from 'vitest'
import { START } from '../../support/server.ts'
import { ACCOUNT, at, DAY, FEB_15, iso, now, subscriptionActions } from '../../support/subscription-actions.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { contextAs, idOf, makeOffering } from '../../support/subscriptions.ts'

const graph = useSubscriptionGraph()
const { server } = graph
const { begin, done, refused, life } = subscriptionActions(graph)

const half = START + 15.5 * DAY
const offering = idOf('offering', 91)
const pieces = (quantity: number) => ({ items: [{ productId: idOf('product', 1), quantity }] })

beforeAll(async () => {
  const ctx = contextAs(server.services, START)
  await makeOffering(ctx, offering, { plans: [idOf('plan', 1)], products: [idOf('product', 1)] })
})

/** A subscription that paid for nine pieces, 9000, half a period before now. */
const ofNine = async (): Promise<string> => {
  server.now = START
  const id = await begin({ offering_id: offering })
  await done('changeSubscription', { id, ...pieces(9) })
  server.now = half
  return id
}

describe('subscription.shoppers-get-nothing-back', () => {
  test('a shopper who pauses, takes less and resumes gets nothing back, and an administrator does it', async () => {
    const id = await ofNine()
    await done('pauseSubscription', { id, ...now }, ACCOUNT)
    server.now += 1
    await done('changeSubscription', { id, ...pieces(1) }, ACCOUNT)
    const resumed = await done('resumeSubscription', { id }, ACCOUNT)
    expect(resumed.changes.at(-1)).toMatchObject({ type: 'RESUME', status: 'EFFECTIVE', proration: 'NONE' })
    expect((await life(id)).slice(3, 8)).toEqual([
      ...['01-31 PAUSES', '01-31 BECOMES_INACTIVE', '01-31 CHANGES', '01-31 RESUMES', '02-15 INVOICE 1000'],
    ])

    const other = await ofNine()
    await done('pauseSubscription', { id: other, ...now })
    server.now += 1
    await done('changeSubscription', { id: other, ...pieces(1) })
    await done('resumeSubscription', { id: other })
    expect(await life(other)).toContain('01-31 INVOICE -4000')
  })

  test('a resume of a shopper that costs something settles by time', async () => {
    const id = await ofNine()
    await done('pauseSubscription', { id, ...now }, ACCOUNT)
    server.now += 1
    await done('changeSubscription', { id, ...pieces(10) }, ACCOUNT)
    await done('resumeSubscription', { id }, ACCOUNT)
    expect(await life(id)).toContain('01-31 INVOICE 500')
  })

  test('less while a resume is ahead takes effect at the end of the period', async () => {
    const id = await ofNine()
    await done('pauseSubscription', { id, ...now, resumeAt: iso(half + DAY) }, ACCOUNT)
    server.now += 1
    const less = await done('changeSubscription', { id, ...pieces(1) }, ACCOUNT)
    expect(less.scheduledChanges.find(({ type }: { type: string }) => type === 'CHANGE')).toMatchObject({
      at: iso(FEB_15),
    })
    expect((await life(id)).filter((text) => text.includes('INVOICE -'))).toEqual([])
  })

  test('the resume that a pause of a shopper names gives nothing back of what an administrator settled by NONE', async () => {
    const id = await ofNine()
    await done('changeSubscription', { id, ...pieces(1), proration: 'NONE' })
    const paused = await done('pauseSubscription', { id, ...now, resumeAt: iso(half + DAY) }, ACCOUNT)
    expect(paused.changes.at(-1)).toMatchObject({ type: 'RESUME', proration: 'NONE' })
    expect((await life(id)).filter((text) => text.includes('INVOICE -'))).toEqual([])
  })

  test('a shopper neither undoes nor ends a pause before a change that would give money back then', async () => {
    const id = await ofNine()
    const paused = await done('pauseSubscription', { id, ...at(half + DAY) }, ACCOUNT)
    const changeKey = paused.scheduledChanges[0].key
    await done('changeSubscription', { id, ...pieces(1), ...at(half + 3 * DAY) }, ACCOUNT)
    expect(await refused('undoScheduledChange', { id, changeKey }, ACCOUNT)).toEqual(['ACTION_REFUSED changeKey'])
    server.now = half + 2 * DAY
    expect(await refused('resumeSubscription', { id }, ACCOUNT)).toEqual(['ACTION_REFUSED id'])
    server.now = half + 3 * DAY
    await done('resumeSubscription', { id }, ACCOUNT)
    expect((await life(id)).filter((text) => text.includes('INVOICE -'))).toEqual([])
  })
})
