/** The viewer of a request, by its token. */
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { useSubscriptionGraph } from '../../support/subscription-graph.ts'
import { idOf } from '../../support/subscriptions.ts'

const { server } = useSubscriptionGraph()
const QUERY = '{ viewer { role accountId account { id } } }'

describe('right.shoppers-see-published-and-own: viewer', () => {
  test('the viewer who is an administrator has no account', async () => {
    expect(await server.gql(QUERY)).toMatchObject({
      data: { viewer: { role: 'ADMIN', accountId: null, account: null } },
    })
  })

  test('the viewer who is a shopper has the account that the token names, once that has a subscription', async () => {
    const own = idOf('account', 1)
    for (const [accountId, account] of [
      [own, { id: globalId('Account', own) }],
      [own.toUpperCase(), { id: globalId('Account', own) }],
      [idOf('account', 99), null],
      [undefined, null],
    ] as const) {
      const { token } = await server.issue(
        { subject: 'one', role: 'shopper', ...(accountId && { accountId }) },
        server.now,
      )
      expect(await server.gql(QUERY, {}, { token })).toMatchObject({
        data: {
          viewer: {
            role: accountId ? 'ACCOUNT' : 'SHOPPER',
            accountId: accountId ? globalId('Account', accountId.toLowerCase()) : null,
            account,
          },
        },
      })
    }
  })

  test('no response with the viewer is shared: neither with another account nor with one of the same role', async () => {
    for (const number of [1, 2, 1, 3]) {
      const { token } = await server.issue(
        { subject: 'one', role: 'shopper', accountId: idOf('account', number) },
        server.now,
      )
      const query = `?query=${encodeURIComponent('{ viewer { accountId } }')}`
      const reply = await server.rest('GET', `/graphql${query}`, { token })
      expect(reply.body).toEqual({ data: { viewer: { accountId: globalId('Account', idOf('account', number)) } } })
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
    }
  })
})
