/** What introspection shows to each role, and what the schema's text says of rights. */
import { buildClientSchema, getIntrospectionQuery, isObjectType, printSchema, validateSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { isAdminType, rightOfField } from '../../../src/graphql/schema/rights.ts'
import { schemaText } from '../../../src/graphql/schema/schema-text.ts'
import { visibleSchema } from '../../../src/graphql/schema/visible-schema.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { useDatabase } from '../../support/database.ts'
import { listen } from '../../support/live.ts'
import { call } from '../../support/schema-walk.ts'
import { useServer } from '../../support/server.ts'

const server = useServer(useDatabase())
const ACCOUNT = '0199c0de-0000-7000-8000-00000000aaaa'
const ABSENT = '0199c0de-0000-7000-8000-00000000dead'
let account = ''

beforeAll(async () => {
  account = (await server.issue({ subject: 'holder', role: 'shopper', accountId: ACCOUNT }, server.now)).token
})

const query = getIntrospectionQuery({
  specifiedByUrl: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
})
const seenBy = async (token: string) => buildClientSchema((await server.gql(query, {}, { token })).data)
const fieldsOf = (type: unknown): string[] => (isObjectType(type) ? Object.keys(type.getFields()) : [])

/** The code of the first error of an operation; a GraphQL subscription must end with one. */
async function firstCode(text: string, token: string): Promise<string | undefined> {
  const reply = text.startsWith('subscription')
    ? await (await listen(server, text, { token })).next()
    : await server.gql(text, {}, { token })
  return reply.errors?.[0].extensions.code
}

describe('right.introspection-by-role: introspection shows what the viewer may use', () => {
  test('introspection shows an administrator the whole schema', async () => {
    expect(printSchema(await seenBy(server.admin))).toBe(printSchema(schema))
  })

  test('introspection shows a shopper neither admin types nor what only leads to them', async () => {
    const seen = await seenBy(server.shopper)
    expect(validateSchema(seen)).toEqual([])
    expect(Object.keys(seen.getTypeMap()).filter((name) => isAdminType(schema.getType(name) as never))).toEqual([])
    for (const name of [
      'PriceBook',
      'TierInput',
      'ProductPriceFilter',
      'BulkMode',
      'CatalogRuleConnection',
      'CreatePlanInput',
    ]) {
      expect([name, seen.getType(name)]).toEqual([name, undefined])
      expect(schema.getType(name)).toBeDefined()
    }
    expect(fieldsOf(seen.getQueryType())).toEqual(expect.arrayContaining(['storefront', 'catalog', 'plans', 'node']))
    expect(fieldsOf(seen.getQueryType())).not.toContain('priceBooks')
    expect(fieldsOf(seen.getSubscriptionType())).toEqual(['releasePublished', 'saleTurned'])
    expect(fieldsOf(seen.getType('CatalogPrice'))).toContain('amount')
    expect(fieldsOf(seen.getType('CatalogPrice'))).not.toContain('productPrice')
  })

  test('each field that introspection keeps is one that the viewer may select, and none of those is missing', async () => {
    const seen = await seenBy(server.shopper)
    for (const type of Object.values(seen.getTypeMap())) {
      const whole = schema.getType(type.name)
      if (!isObjectType(type) || !isObjectType(whole) || type.name.startsWith('__')) continue
      const open = Object.values(whole.getFields()).filter((field) => rightOfField(field) === 'anyone')
      expect([type.name, fieldsOf(type)]).toEqual([type.name, open.map(({ name }) => name)])
    }
  })

  test('introspection shows a shopper with an account the actions on its subscriptions as well, also after a viewer without those rights asked', async () => {
    const mutations = async (token: string) => fieldsOf((await seenBy(token)).getMutationType())
    const verbs = ['cancel', 'change', 'create', 'pause', 'resume', 'update']
    const expected = [...verbs.map((verb) => `${verb}Subscription`), 'undoScheduledChange'].sort()
    for (let run = 0; run < 4; run++) {
      expect(await mutations(server.shopper)).toEqual([])
      expect((await mutations(account)).sort()).toEqual(expected)
      expect((await mutations(server.admin)).length).toBeGreaterThan(40)
    }
  })

  test('introspection shows no root field that is refused for what the token lacks, and hides only those', async () => {
    const names = { [server.shopper]: 'a shopper', [account]: 'a shopper with an account' }
    for (const token of [server.shopper, account]) {
      const seen = await seenBy(token)
      const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()] as const
      for (const [root, kind, shown] of [
        [roots[0], 'query', seen.getQueryType()],
        [roots[1], 'mutation', seen.getMutationType()],
        [roots[2], 'subscription', seen.getSubscriptionType()],
      ] as const) {
        for (const field of Object.values(root?.getFields() ?? {})) {
          const text = `${kind} { ${call(field, ABSENT)} { __typename } }`
          const code = await firstCode(text, token)
          const isShown = fieldsOf(shown).includes(field.name)
          expect([names[token], field.name, isShown, code === 'FORBIDDEN']).toEqual([
            names[token],
            field.name,
            isShown,
            !isShown,
          ])
        }
      }
    }
  })

  test('__type is null for what is hidden, for every role that asks with the same text', async () => {
    const ask = async (token: string) =>
      (await server.gql('{ __type(name: "PriceBook") { name } }', {}, { token })).data.__type
    for (let run = 0; run < 4; run++) {
      expect(await ask(server.admin)).toEqual({ name: 'PriceBook' })
      expect(await ask(server.shopper)).toBeNull()
    }
  })

  test('a shopper reads beside introspection what it may, and is refused the rest by its place', async () => {
    const token = server.shopper
    const { data } = await server.gql('{ __schema { queryType { name } } plans { totalCount } }', {}, { token })
    expect(data).toEqual({ __schema: { queryType: { name: 'Query' } }, plans: { totalCount: 0 } })
    const refused = await server.gql('{ __schema { queryType { name } } priceBooks { totalCount } }', {}, { token })
    expect(refused.data).toBeUndefined()
    expect(refused.errors.map((error: { extensions: { code: string } }) => error.extensions.code)).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ])
  })

  test('the part of the schema that a role sees is made once', () => {
    const viewer = { subject: 'a', role: 'shopper', accountId: null, channel: null, tags: [], expiresAt: 0 } as const
    expect(visibleSchema(schema, viewer)).toBe(visibleSchema(schema, { ...viewer, subject: 'b' }))
    // As a boolean: `not.toBe` would compare the whole schemas for its message.
    expect(visibleSchema(schema, { ...viewer, accountId: ACCOUNT }) === visibleSchema(schema, viewer)).toBe(false)
    expect(visibleSchema(schema, { ...viewer, role: 'admin' })).toBe(schema)
  })
})

describe('the text of the schema names the rights', () => {
  const text = schemaText(schema)

  test.each([
    ['an admin type', /^type PriceBook implements Node @access\(role: ADMIN\) \{$/m],
    ["a field of an admin's type among open ones", /^ {2}productPrice: ProductPrice @access\(role: ADMIN\)$/m],
    ['a mutation for accounts', /^ {2}\): PauseSubscriptionPayload! @access\(role: ACCOUNT\)$/m],
    ['the directive', /^directive @access\($/m],
  ])('%s', (_, expected) => {
    expect(text).toMatch(expected)
  })

  test('the text of the schema names no right for what is for everyone', () => {
    expect(text).toMatch(/^type CatalogPrice \{$/m)
    expect(text).not.toContain('@access(role: SHOPPER)')
  })

  test('each description of what is not for everyone ends in a line that names the right', () => {
    expect(schema.getType('PriceBook')?.description).toMatch(/\nFor administrators\.$/)
    expect(schema.getMutationType()?.getFields().pauseSubscription?.description).toMatch(
      /\nFor administrators and shoppers with an account\.$/,
    )
    expect(schema.getType('CatalogPrice')?.description).not.toContain('For administrators')
  })
})
