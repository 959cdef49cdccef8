/** Shopper's ways: what an administrator's field is refused with leads to what shoppers may read. */
import { type FieldNode, isAbstractType, isRequiredArgument, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import { describe, expect, test } from 'vitest'
import { globalId } from '../../../src/graphql/schema/ids.ts'
import { rightOf, rightOfField } from '../../../src/graphql/schema/rights.ts'
import { shopperWays } from '../../../src/graphql/schema/shopper-ways.ts'
import { schema } from '../../../src/graphql/schema.ts'
import { useDatabase } from '../../support/database.ts'
import { useServer } from '../../support/server.ts'

const server = useServer(useDatabase())
const refusal = async (query: string) => {
  const { errors } = await server.gql(query, {}, { token: server.shopper })
  return `${errors[0].extensions.code} ${errors[0].message}`
}

/** The fields of a document, each with whether a shopper may select it, and the arguments that they lack. */
function fieldsOf(text: string): [name: string, isOpen: boolean, missing: string[]][] {
  const found: [string, boolean, string[]][] = []
  const info = new TypeInfo(schema)
  const note = (node: FieldNode) => {
    const field = info.getFieldDef()
    const given = (node.arguments ?? []).map(({ name }) => name.value)
    const required =
      field?.args.filter((argument) => isRequiredArgument(argument) && !given.includes(argument.name)) ?? []
    found.push([
      field?.name ?? '',
      field != null && rightOfField(field as never) !== 'admin',
      required.map(({ name }) => name),
    ])
  }
  visit(parse(text), visitWithTypeInfo(info, { Field: note }))
  return found
}

describe('right.shoppers-see-published-and-own: the error of what is for administrators names the way for shoppers', () => {
  test.each([
    [
      '{ products { totalCount } }',
      'Query.products is for administrators; shoppers read storefront { latestRelease { products } }',
    ],
    [
      '{ subscriptions { totalCount } }',
      'Query.subscriptions is for administrators; shoppers read viewer { account { subscriptions } }',
    ],
    [
      `{ node(id: "${globalId('Product', '0199c0de-0000-7000-8000-00000000dead')}") { id } }`,
      'Query.node of a Product is for administrators; shoppers read storefront { latestRelease { product(by: { sku: "..." }) } }',
    ],
    ['{ webhooks { totalCount } }', 'Query.webhooks is for administrators'],
    [
      'mutation { deleteProduct(input: { id: "x" }) { userErrors { code } } }',
      'Mutation.deleteProduct is for administrators',
    ],
  ])('the error of what is for administrators names the way for shoppers: %s', async (query, message) => {
    expect(await refusal(query)).toBe(`FORBIDDEN ${message}`)
  })

  test('each way for shoppers leads to fields that they may select, by the arguments that they need', () => {
    for (const way of new Set(Object.values(shopperWays))) {
      const fields = fieldsOf(way.startsWith('subscription') ? way : `{ ${way} }`)
      expect([way, fields.length > 0]).toEqual([way, true])
      expect([way, fields.filter(([name, isOpen, missing]) => name === '' || !isOpen || missing.length > 0)]).toEqual([
        way,
        [],
      ])
    }
  })

  test('every root field and type of a node for administrators has a way for shoppers, save those without a counterpart', () => {
    const roots = [schema.getQueryType(), schema.getSubscriptionType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).flatMap((field) =>
        rightOfField(field) === 'admin' ? [`${type?.name}.${field.name}`] : [],
      ),
    )
    const node = schema.getType('Node')
    const nodes = (isAbstractType(node) ? schema.getPossibleTypes(node) : []).filter(
      (type) => rightOf(type) === 'admin',
    )
    const without = [...roots, ...nodes.map(({ name }) => name)].filter((name) => !(name in shopperWays))
    expect(without.sort()).toEqual([
      'ImportJob',
      'Query.history',
      'Query.importJob',
      'Query.importJobs',
      'Query.storefrontExplanation',
      'Query.subscriptionMetrics',
      'Query.webhook',
      'Query.webhooks',
      'Subscription.importJobChanged',
      'Webhook',
    ])
    const unknown = Object.keys(shopperWays).filter(
      (name) => !roots.includes(name) && !nodes.some((type) => type.name === name),
    )
    expect(unknown).toEqual([])
  })
})
