import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useDatabase } from '../../support/database.ts'
import { fullStore, ids } from '../../support/full-store.ts'
import { publishStore } from '../../support/published.ts'
import { START, useServer } from '../../support/server.ts'

const server = useServer(useDatabase())
beforeAll(async () => {
  await publishStore(server, fullStore())
})
beforeEach(() => {
  server.now = START
})

async function ask(args: string, language?: string) {
  const query = `query ($catalog: ID!) { catalog(id: $catalog) { latestRelease { node(by: { path: ["shop"] }) {
    children${args} { nodes { slug } pageInfo { endCursor hasNextPage } } } } } }`
  const { token } = await server.issue({ subject: 'one', role: 'shopper' }, server.now)
  const headers = language === undefined ? {} : { 'accept-language': language }
  const { data, errors } = await server.gql(query, { catalog: ids.catalog }, { token, headers })
  const children = data?.catalog?.latestRelease?.node?.children
  return { slugs: children?.nodes.map(({ slug }: { slug: string }) => slug), pageInfo: children?.pageInfo, errors }
}

describe('node.children-in-order: children of a hierarchy', () => {
  test('children of a hierarchy can be ordered by name, in both directions', async () => {
    expect((await ask('(orderBy: { field: NAME })')).slugs).toEqual(['clothes', 'machines'])
    expect((await ask('(orderBy: { field: NAME, direction: DESC })')).slugs).toEqual(['machines', 'clothes'])
  })

  test('children of a hierarchy come last updated first by default, as by UPDATED_AT descending', async () => {
    const { slugs } = await ask('')
    expect((await ask('(orderBy: { field: UPDATED_AT, direction: DESC })')).slugs).toEqual(slugs)
    expect((await ask('(orderBy: null)')).slugs).toEqual(slugs)
  })

  test('children of a hierarchy are paged in their order, and a cursor of another order is refused by name', async () => {
    const first = await ask('(first: 1, orderBy: { field: NAME, direction: DESC })')
    expect([first.slugs, first.pageInfo.hasNextPage]).toEqual([['machines'], true])
    const after = `after: "${first.pageInfo.endCursor}"`
    expect((await ask(`(${after}, orderBy: { field: NAME, direction: DESC })`)).slugs).toEqual(['clothes'])
    for (const orderBy of ['', ', orderBy: { field: NAME }', ', orderBy: { field: SORT_ORDER, direction: DESC }']) {
      const { errors } = await ask(`(${after}${orderBy})`)
      expect(errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', violations: [{ path: ['after'] }] })
    }
  })

  test('a cursor of children goes on in another language where names decide nothing, and is refused where they do', async () => {
    for (const [field, goesOn] of [
      ['UPDATED_AT', true],
      ['SORT_ORDER', false],
      ['NAME', false],
    ] as const) {
      const { pageInfo } = await ask(`(first: 1, orderBy: { field: ${field} })`, 'de')
      const { errors } = await ask(`(after: "${pageInfo.endCursor}", orderBy: { field: ${field} })`, 'fr')
      expect([field, errors === undefined]).toEqual([field, goesOn])
    }
  })
})
