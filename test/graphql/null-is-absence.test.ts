/**
 * input.null-is-absence, held by the schema itself: every nullable member of every mutation that creates, nested ones
 * too.
 */
import { type GraphQLInputType, getNullableType, isInputObjectType, isListType, isNonNullType } from 'graphql'
import { beforeAll, describe, expect, it } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'
import { useDatabase } from '../support/database.ts'
import { changed, fullInputs, makeKnown, membersIn } from '../support/full-inputs.ts'
import { mutate } from '../support/mutations.ts'
import { useServer } from '../support/server.ts'

const database = useDatabase()
const server = useServer(database)

beforeAll(() => makeKnown(server))

const creates = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ name }) =>
  /^(create|add|upsert)/.test(name),
)

/** The nullable members that an input has. */
function nullableIn(type: GraphQLInputType, value: unknown) {
  return membersIn(type, value).filter((member) => !isNonNullType(member.type) && !member.isOneOf)
}

/**
 * Null says something else than absence here: that there is no price in the currency, where absence is refused in a
 * create.
 */
const REMOVED_CURRENCY = 'CurrencyPriceInput.price'

/** The members whose null must be their absence. */
function comparedIn(type: GraphQLInputType, value: unknown) {
  return nullableIn(type, value).filter(({ place }) => place !== REMOVED_CURRENCY)
}

/** All nullable members of an input type, in whatever depth. */
function placesOf(type: GraphQLInputType, seen = new Set<string>()): string[] {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return placesOf(nullable.ofType, seen)
  if (!isInputObjectType(nullable) || seen.has(nullable.name)) return []
  seen.add(nullable.name)
  return Object.values(nullable.getFields()).flatMap((field) => [
    ...(isNonNullType(field.type) || nullable.isOneOf || field.name === 'idempotencyKey'
      ? []
      : [`${nullable.name}.${field.name}`]),
    ...placesOf(field.type, seen),
  ])
}

const rows = 'outcome userErrors { code path } productPrice { sku sales { schedule { validFrom validTo } } }'
/** What a dry run says, which writes nothing. */
const results: Readonly<Record<string, string>> = {
  upsertProductPrices: `results { ${rows} }`,
  addSales: `campaign { rows { ${rows} prices { currency } } }`,
}

let number = 0
/**
 * What a mutation does: its userErrors, or what it logs of the records that it writes, without what no two calls have
 * in common.
 */
async function outcome(name: string, input: (n: string) => object): Promise<unknown> {
  const n = `Name${++number}end`
  const last = await database.prisma.change.findFirst({ orderBy: { id: 'desc' } })
  const reply = await mutate(server, name, input(n), results[name] ?? '')
  expect([name, reply.errors]).toEqual([name, undefined])
  const entries = await database.prisma.change.findMany({
    where: { id: { gt: last?.id ?? 0n } },
    orderBy: { id: 'asc' },
  })
  const ids = /"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}"/g
  const after = entries.map((entry) =>
    JSON.stringify(entry.after)
      .replaceAll(n, 'N')
      .replaceAll(n.toLowerCase(), 'n')
      .replace(ids, (id) => (id.startsWith('"0199c0de-') ? id : 'id')),
  )
  const errors = (reply.userErrors as { code: string; path: string[] }[]).map(
    ({ code, path }) => `${code} ${path.join('.')}`,
  )
  if (name.startsWith('addSale')) await database.prisma.sale.deleteMany()
  // A message tells null from absence.
  const payload = JSON.parse(JSON.stringify(reply).replaceAll(n, 'N').replaceAll(n.toLowerCase(), 'n'))
  return { ...payload, userErrors: errors, after: after.map((text) => text.replaceAll(/"updatedAt":\d+/g, '')) }
}

describe('input.null-is-absence: null for an optional member of a create does what its absence does', () => {
  it('null for an optional member does what its absence does in every mutation that creates, with inputs that have every nullable member of the schema', () => {
    expect(Object.keys(fullInputs).sort()).toEqual(creates.map(({ name }) => name).sort())
    for (const { name, args } of creates) {
      const { type } = args[0] as { readonly type: GraphQLInputType }
      const given = fullInputs[name]?.flatMap((input) => nullableIn(type, input('n')).map(({ place }) => place))
      expect([name, [...new Set(given)].sort()]).toEqual([name, placesOf(type).sort()])
    }
  })

  it.each(creates)('null for an optional member of $name does what its absence does', async ({ name, args }) => {
    const { type } = args[0] as { readonly type: GraphQLInputType }
    let [refused, tried] = [0, 0]
    for (const input of fullInputs[name] ?? []) {
      expect(await outcome(name, input)).toMatchObject({ userErrors: [] })
      for (const { path } of comparedIn(type, input('n'))) {
        const without = await outcome(name, (n) => changed(input(n), path, (holder, member) => delete holder[member]))
        const withNull = await outcome(name, (n) =>
          changed(input(n), path, (holder, member) => {
            holder[member] = null
          }),
        )
        expect([path.join('.'), withNull]).toEqual([path.join('.'), without])
        tried++
        if ((without as { userErrors: string[] }).userErrors.length > 0) refused++
      }
    }
    // Most members may be absent; where not, null is refused alike.
    expect(refused).toBeLessThanOrEqual(tried / 2)
  })
})

it('input.null-is-absence: an update refuses null where nothing may be cleared', async () => {
  const made = async (name: string, field: string, input: object, id = 'id') =>
    (await mutate(server, name, input, `${field} { ${id} }`))[field]
  const product = await made('createProduct', 'product', { name: 'Null' })
  const offering = await made('createOffering', 'offering', { name: 'Null' })
  const webhook = (
    await made(
      'createWebhook',
      'webhookSecret',
      { url: 'https://example.com/null', topics: ['PRODUCT'] },
      'webhook { id }',
    )
  ).webhook
  const refused = async (name: string, input: object) =>
    (await mutate(server, name, input, '')).userErrors.map(
      ({ code, path }: { code: string; path: string[] }) => `${path.join('.')} ${code}`,
    )
  expect(await refused('updateProduct', { id: product.id, status: null })).toEqual(['status REQUIRED'])
  expect(await refused('updateOffering', { id: offering.id, productIds: null })).toEqual(['productIds REQUIRED'])
  expect(await refused('updateWebhook', { id: webhook.id, isEnabled: null })).toEqual(['isEnabled REQUIRED'])
})
