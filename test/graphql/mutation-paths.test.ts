import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type GraphQLInputType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../../src/config/project-root.ts'
import { schema } from '../../src/graphql/schema.ts'
import { useDatabase } from '../support/database.ts'
import { runImport } from '../support/import.ts'
import { stepInto } from '../support/input-path.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)

const PER_MUTATION = 20
const known: Record<string, string> = {}
const tables =
  'price_book product_price sale price_modifier product catalog catalog_rule subscription_product plan offering subscription'

beforeAll(async () => {
  await runImport(server.services, readFileSync(join(projectRoot, 'prisma/demo.jsonl'), 'utf8'))
  const sources = tables.split(' ').map((table) => [table, `SELECT id FROM ${table} LIMIT 1`] as const)
  const nodes = [
    ['hierarchy', 'SELECT id FROM catalog_node WHERE parent_id IS NULL LIMIT 1'],
    ['node', 'SELECT id FROM catalog_node WHERE parent_id IS NOT NULL LIMIT 1'],
  ] as const
  for (const [noun, text] of [...sources, ...nodes]) {
    const [row] = await database.query<{ id: string }>(`test-id-of-${noun}`, text)
    if (row) known[noun] = row.id
  }
})

const texts = fc.constantFrom(
  '',
  'x',
  'USD',
  'EUR',
  'usd',
  'de',
  'DE',
  'no tag',
  '__proto__',
  'constructor',
  'a\u0000',
  'https://a.b',
  'y'.repeat(1025),
)
const uuid = '0199c0de-0000-7000-8000-000000000001'

/** Inputs that GraphQL accepts; few of them keep all rules. */
function valuesOf(type: GraphQLInputType, id: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (isNonNullType(type)) return valuesOf(type.ofType as GraphQLInputType, id)
  if (isListType(type)) return fc.array(valuesOf(type.ofType, id), { maxLength: 3 })
  if (isEnumType(type)) return fc.constantFrom(...type.getValues().map(({ name }) => name))
  if (isInputObjectType(type))
    return type.isOneOf
      ? oneMemberOf(Object.values(type.getFields()), id)
      : membersOf(Object.values(type.getFields()), id)
  switch (type.name) {
    case 'ID':
      return id
    case 'Boolean':
      return fc.boolean()
    case 'Int':
    case 'Long':
      return fc.constantFrom(-1, 0, 1, 2, 2 ** 31 - 1)
    case 'Float':
      return fc.constantFrom(-1, 0.5, 10_001)
    case 'DateTime':
      return fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z')
    case 'JSON':
      return fc.oneof(fc.constantFrom(null, 1, 'a\u0000'), fc.constant(JSON.parse('{"deep":[{"__proto__":1}]}')))
    default:
      return texts
  }
}

interface InputField {
  readonly name: string
  readonly type: GraphQLInputType
}

function membersOf(fields: readonly InputField[], id: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const given = fields.filter(({ name }) => name !== 'idempotencyKey' && name !== 'ifUpdatedAt')
  const required = given.filter(({ type }) => isNonNullType(type)).map(({ name }) => name)
  const values = Object.fromEntries(
    given.map(({ name, type }) => {
      const value = valuesOf(type, id)
      return [name, isNonNullType(type) ? value : fc.option(value, { freq: 8 })]
    }),
  )
  return fc.record(values, { requiredKeys: required })
}

/** An input that is `@oneOf`: GraphQL itself refuses all but one member. */
function oneMemberOf(fields: readonly InputField[], id: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof(...fields.map(({ name, type }) => valuesOf(type, id).map((value) => ({ [name]: value }))))
}

const mutations = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /^(create|add|update|upsert|move|attach|detach|curate)/.test(name),
)
const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/^_/, '')

test('graph.paths-lead-into-the-input: the path of every userError leads to a member, or to a missing one, of the input that the client wrote', async () => {
  const depths = new Set<number>()
  for (const { name, args } of mutations) {
    const { type } = args[0] as { readonly type: GraphQLInputType }
    const noun = snakeCase(name.replace(/^[a-z]+/, ''))
    const id = fc.constantFrom('x', uuid, ...Object.values(known))
    const own = Object.fromEntries(Object.entries(known).map(([of, value]) => [of === noun ? 'id' : `${of}_id`, value]))
    const query = `mutation ($input: ${type}) { ${name}(input: $input) { userErrors { path message } } }`
    let refused = 0
    for (const drawn of fc.sample(valuesOf(type, id), { numRuns: PER_MUTATION, seed: 7 })) {
      const whole = drawn as Record<string, unknown>
      const given = Object.fromEntries(
        Object.entries(whole).map(([member, value]) => [
          member,
          (typeof value === 'string' && own[snakeCase(member)]) || value,
        ]),
      )
      const reply = await server.gql(query, { input: given })
      expect([name, given, reply.errors]).toEqual([name, given, undefined])
      for (const { path, message } of reply.data[name].userErrors as { path: string[]; message: string }[]) {
        let value: unknown = given
        for (const step of path) value = stepInto(value, step, path)
        expect(message).not.toMatch(/[a-z]_[a-z]/)
        depths.add(path.length)
        refused++
      }
    }
    expect([name, refused]).not.toEqual([name, 0])
  }
  expect([...depths].sort()).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6]))
})
