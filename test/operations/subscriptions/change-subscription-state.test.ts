import { describe, expect, it } from 'vitest'
import { START } from '../../support/server.ts'
import { END, useSubscription } from '../../support/subscription-life.ts'
import { idOf } from '../../support/subscriptions.ts'

const living = useSubscription()
const { server, database, begin, post, meta, actions, admin } = living

interface Outcome {
  /** 204, or the status and code of the refusal. */
  readonly rest: readonly unknown[]
  readonly graph: readonly unknown[]
}

async function throughRest(action: string): Promise<readonly unknown[]> {
  const reply = await post(action)
  return reply.status === 204 ? [] : [reply.status, reply.body.errors[0].code, reply.body.errors[0].detail]
}

async function throughGraph(action: string): Promise<readonly unknown[]> {
  const field = `${action}Subscription`
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`
  const { data } = await server.gql(
    `mutation ($input: ${type}!) { ${field}(input: $input) { subscription { id } userErrors { code path message } } }`,
    { input: { id: living.id } },
    { token: await admin() },
  )
  const { subscription, userErrors } = data[field]
  expect(subscription === null).toBe(userErrors.length > 0)
  return userErrors.map(({ code, path: place, message }: { code: string; path: string[]; message: string }) => [
    code,
    place.join('.'),
    message,
  ])
}

/** The stored subscription, without ids, which differ from one to the next. */
async function row(): Promise<unknown> {
  const rows = await database.query(
    'test-subscription',
    "SELECT to_jsonb(s) - 'version' - 'state' AS row FROM subscription s",
  )
  return JSON.parse(JSON.stringify(rows, (name, value) => (name === 'id' ? undefined : value)))
}

/** Sequences of actions on a new subscription; the last one is under test. */
const sequences: readonly [title: string, steps: readonly string[], refused?: string][] = [
  ['pause', ['pause']],
  ['cancel', ['cancel']],
  ['resume of a new one', ['resume'], 'the subscription is neither paused nor canceled'],
  ['pause of a paused one', ['pause', 'pause'], 'the subscription is paused'],
  ['cancel of a paused one', ['pause', 'cancel']],
  ['resume of a paused one', ['pause', 'resume']],
  ['pause of a canceled one', ['cancel', 'pause'], 'the subscription is canceled'],
  ['cancel of a canceled one', ['cancel', 'cancel'], 'the subscription is canceled'],
  ['resume of a canceled one', ['cancel', 'resume']],
  ['pause of a resumed one', ['pause', 'resume', 'pause']],
  ['resume of a resumed one', ['pause', 'resume', 'resume'], 'the subscription is neither paused nor canceled'],
  ['resume of a paused and canceled one', ['pause', 'cancel', 'resume']],
]

describe('subscription.allowed-actions: through both edges', () => {
  it.each(sequences)('the actions on a subscription through both edges: %s', async (_, steps, refused) => {
    const last = steps.at(-1) as string
    const run = async (send: (action: string) => Promise<readonly unknown[]>) => {
      await begin()
      for (const [index, action] of steps.entries()) {
        server.now = START + index * 1000
        const outcome = await send(action)
        if (index < steps.length - 1) expect(outcome).toEqual([])
        else return { outcome, row: await row(), actions: await actions() }
      }
      throw new Error('no steps')
    }
    const rest = await run(throughRest)
    const graph = await run(throughGraph)
    expect(rest.outcome).toEqual(refused ? [409, 'ACTION_REFUSED', refused] : [])
    expect(graph.outcome).toEqual(refused ? [['ACTION_REFUSED', 'id', refused]] : [])
    expect(graph.row).toEqual(rest.row)
    expect(rest.actions).toEqual(refused ? steps.slice(0, -1) : [...steps.slice(0, -1), last])
    expect(graph.actions).toEqual(rest.actions)
  })

  it.each([
    ['pause', 'can_pause', [], []],
    ['cancel', 'can_cancel', [], []],
    ['resume', 'can_resume', ['pause'], ['pause']],
  ])('a plan that forbids to %s gets 422, before the state is checked', async (action, permission, before, kept) => {
    const outcome: Outcome = { rest: await forbidden(throughRest), graph: await forbidden(throughGraph) }
    const message = `the plan does not allow to ${action}`
    expect(outcome).toEqual({
      rest: [422, 'ACTION_REFUSED', `data.attributes.action: ${message}`],
      graph: [['ACTION_REFUSED', 'id', message]],
    })
    expect(await actions()).toEqual(kept)
    server.now = END
    expect((await throughRest(action))[0]).toBe(422)

    async function forbidden(send: (action: string) => Promise<readonly unknown[]>) {
      await begin({ [permission]: false })
      for (const step of before) expect(await send(step)).toEqual([])
      return send(action)
    }
  })

  it.each(['pause', 'cancel', 'resume'])(
    '%s of a subscription is refused from the exact millisecond of the end date',
    async (action) => {
      if (action === 'resume') await throughRest('pause')
      server.now = END
      expect(await throughRest(action)).toEqual([409, 'ACTION_REFUSED', 'the subscription is closed'])
      expect(await throughGraph(action)).toEqual([['ACTION_REFUSED', 'id', 'the subscription is closed']])
      server.now = END - 1
      expect(await throughRest(action)).toEqual([])
    },
  )

  it('subscription.keeps-its-copies: the allowed actions of a subscription are those of the plan when it was created', async () => {
    await database.prisma.plan.update({
      where: { id: idOf('plan', 1) },
      data: { canPause: false, endBehavior: 'roll' },
    })
    expect(await throughRest('pause')).toEqual([])
    server.now = END
    expect((await meta()).closed).toBe(true)
  })
})
