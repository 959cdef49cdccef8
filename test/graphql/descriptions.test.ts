/** What descriptions of the schema must have: an example for each argument, a limit for each list that stays short, the graph's own names. */
import { isEnumType, isListType, isNonNullType, isObjectType, parseValue, valueFromAST } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'

const objects = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('__'))
const fields = objects.flatMap((type) =>
  isObjectType(type) ? Object.values(type.getFields()).map((field) => ({ field, name: `${type.name}.${field.name}` })) : [],
)
const args = fields.flatMap(({ field, name }) => field.args.map((arg) => ({ ...arg, place: `${name}(${arg.name}:)` })))

/** Ids that the demo store makes anew, and what gateways alone send. */
const withoutExample = [
  'Query._entities(representations:)',
  'Query.configureBundle(id:)',
  'Query.release(id:)',
  'Query.sale(id:)',
  'Query.subscription(id:)',
  'Query.webhook(id:)',
]

/** Bounded by an enum, by an argument, by what they are a part of, or in words. */
const boundElsewhere = [
  'AccountSubscription.allowedActions',
  'BundleConfiguration.issues',
  'CatalogPrice.explanation',
  'CatalogPrice.modifiers',
  'CatalogProduct.priceModifierNames',
  'CatalogProduct.priceModifiers',
  'CatalogProduct.productTypes',
  'CatalogSettings.priceBooks',
  'ComponentProduct.priceModifierNames',
  'HierarchyNode.ancestors',
  'HistoryEntry.fields',
  'NodeChange.fields',
  'Product.types',
  'ProductPriceUpsert.userErrors',
  'Query._entities',
  'Query.nodes',
  'Release.nodes',
  'Release.warnings',
  'ReleaseChange.fields',
  'ReleaseChange.priceChanges',
  'ReleaseSummary.fields',
  'ReleaseSummary.priceChanges',
  'SaleCampaignRow.userErrors',
  'SaleTurned.products',
  'SelectedComponent.options',
  'VariationMatrixEntry.optionKeys',
  'Webhook.topics',
]

describe('descriptions', () => {
  test('every argument has an example, in backticks or after "such as"', () => {
    const without = args.filter(({ description }) => !/`[^`]+`|such as/.test(description ?? ''))
    expect(without.map(({ place }) => place).sort()).toEqual(withoutExample)
    expect(args.length).toBeGreaterThan(400)
  })

  test('an example of an input object or list is a value of the argument', () => {
    const examples = args.flatMap((arg) =>
      [...(arg.description ?? '').matchAll(/`([[{][^`]*)`/g)].map(([, text = '']) => ({ ...arg, text })),
    )
    expect(examples.length).toBeGreaterThan(20)
    const wrong = examples.filter(({ text, type }) => valueFromAST(parseValue(text), type) === undefined)
    expect(wrong.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  })

  test('a list that is no connection says its limit, unless what it is a part or a result of bounds it', () => {
    const isList = (type: unknown) => isListType(isNonNullType(type) ? type.ofType : type)
    const without = fields.filter(
      ({ field, name }) =>
        isList(field.type) &&
        !/(Connection|Payload)\./.test(name) &&
        !/\d|\blimit|\bone (per|of each|for each)\b|ten when/.test(field.description ?? ''),
    )
    expect(without.map(({ name }) => name).sort()).toEqual(boundElsewhere)
  })

  test("the codes of errors are described in the graph's names, not in those of REST", () => {
    const type = schema.getType('UserErrorCode')
    const described = isEnumType(type) ? type.getValues().map(({ description }) => description ?? '') : []
    expect(described.length).toBeGreaterThan(20)
    expect(described.filter((description) => /[a-z]_[a-z]|data\.id/.test(description))).toEqual([])
  })
})
