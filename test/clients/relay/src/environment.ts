import { Environment, Network, RecordSource, Store } from 'relay-runtime'

/** An environment with an empty store; `url` is that of `/graphql`. */
export function createEnvironment(url: string, token: string): Environment {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` }
  const network = Network.create(async ({ text }, variables) => {
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query: text, variables }) })
    return response.json()
  })
  return new Environment({ network, store: new Store(new RecordSource()) })
}
