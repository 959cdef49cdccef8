import { authExchange } from '@urql/exchange-auth'
import { Client, cacheExchange, fetchExchange } from 'urql'

const server: string = import.meta.env.VITE_SERVER ?? 'http://127.0.0.1:4000'

/** In place of your login: the account that the address names, such as ?account=<UUID>. */
const account = new URLSearchParams(location.search).get('account')

/** A shopper's token for an hour. */
async function newToken(): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'implicit',
    client_id: 'demo',
    ...(account && { account_id: account }),
  })
  const response = await fetch(`${server}/oauth/access_token`, { method: 'POST', body })
  if (!response.ok) throw new Error(`No token: ${response.status}`)
  return (await response.json()).access_token
}

export const client = new Client({
  url: `${server}/graphql`,
  fetchOptions: { headers: { 'X-MOLTIN-CURRENCY': 'EUR', 'Accept-Language': 'en' } },
  requestPolicy: 'cache-and-network',
  exchanges: [
    cacheExchange,
    authExchange(async ({ appendHeaders }) => {
      let token = await newToken()
      return {
        addAuthToOperation: (operation) => appendHeaders(operation, { Authorization: `Bearer ${token}` }),
        didAuthError: ({ response }) => response?.status === 401,
        refreshAuth: async () => {
          token = await newToken()
        },
      }
    }),
    fetchExchange,
  ],
})
