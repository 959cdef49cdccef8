/**
 * What descriptions of the schema must have: an example for each argument, a limit for each list that stays short, the
 * graph's own names.
 */
import { readFileSync } from 'node:fs'
import { isEnumType, isInterfaceType, isListType, isNonNullType, isObjectType, parseValue, valueFromAST } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from '../../src/graphql/schema.ts'

const outputTypes = Object.values(schema.getTypeMap()).filter((type) => !type.name.startsWith('__'))
const outputFields = outputTypes.flatMap((type) =>
  isObjectType(type) || isInterfaceType(type)
    ? Object.values(type.getFields()).map((field) => ({ field, name: `${type.name}.${field.name}` }))
    : [],
)
const args = outputFields.flatMap(({ field, name }) =>
  field.args.map((arg) => ({ ...arg, place: `${name}(${arg.name}:)` })),
)

/** Ids that the demo store makes anew, and what gateways alone send. */
const withoutExample = [
  'Query._entities(representations:)',
  'Query.configureBundle(id:)',
  'Query.importJob(id:)',
  'Query.release(id:)',
  'Query.sale(id:)',
  'Query.subscription(id:)',
  'Query.webhook(id:)',
]

/** Lists that say no figure, by what bounds them. */
const boundElsewhere = {
  'each value of an enum at most once': [
    'AccountSubscription.allowedActions',
    'CatalogProduct.productTypes',
    'CatalogRule.warnings',
    'CatalogSettings.warnings',
    'Product.types',
    'RuleExplanation.matched',
    'RuleExplanation.unmatched',
    'Webhook.topics',
  ],
  'an argument, which says its own limit': [
    'BundleConfiguration.issues',
    'CatalogProductConnection.facets',
    'Query._entities',
    'Query.nodes',
    'Release.nodes',
    'UpsertProductPricesPayload.results',
  ],
  'what the price has been made of': [
    'BundleConfiguration.priceExplanation',
    'CatalogPrice.explanation',
    'CatalogProduct.priceExplanation',
    'CatalogProduct.priceModifiers',
    'ComponentProduct.priceExplanation',
  ],
  'the types of what can be imported': ['ImportJob.counts'],
  'the fields of one type': [
    'HistoryEntry.fields',
    'NodeChange.fields',
    'ReleaseChange.fields',
    'ReleaseSummary.fields',
  ],
  'what one token holds': ['Viewer.tags'],
  'one for each currency': ['ReleaseChange.priceChanges', 'ReleaseSummary.priceChanges'],
  'one for each variation of the product': [
    'CatalogProduct.selectedOptions',
    'Product.optionKeys',
    'VariationMatrixEntry.optionKeys',
  ],
  'the options of a component': ['SelectedComponent.options'],
  'the depth of the tree': [
    'CatalogHierarchy.canonicalPath',
    'CatalogNode.canonicalPath',
    'CatalogProduct.canonicalPath',
    'CatalogTreeNode.canonicalPath',
    'HierarchyNode.ancestors',
  ],
  'what one message or one refused row has to say': [
    'SaleCampaignRow.userErrors',
    'UserError.params',
    'UserError.path',
  ],
  'one for each price book; a store has few': ['Product.prices'],
  'one for each quantity at which a tier of the price begins': ['CatalogPrice.steps'],
}

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
    const paged = /(Connection\.(nodes|edges)|Payload\.userErrors)$/
    const limit = /at most \d|\d at most|the nearest ten/i
    const lists = outputFields.filter(({ field, name }) => isList(field.type) && !paged.test(name))
    expect(lists.length).toBeGreaterThan(90)
    const without = lists.filter(({ field }) => !limit.test(field.description ?? ''))
    expect(without.map(({ name }) => name).sort()).toEqual(Object.values(boundElsewhere).flat().sort())
  })

  test("the codes of errors are described in the graph's names, not in those of REST", () => {
    const type = schema.getType('UserErrorCode')
    const described = isEnumType(type) ? type.getValues().map(({ description }) => description ?? '') : []
    expect(described.length).toBeGreaterThan(20)
    expect(described.filter((description) => /[a-z]_[a-z]|data\.id/.test(description))).toEqual([])
  })
})

test('what is deprecated says from which date it may be gone', () => {
  const printed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')
  const reasons = [...printed.matchAll(/ @deprecated\b(.*)$/gm)].map(([, reason = '']) => reason)
  expect(reasons.filter((reason) => !/ from \d{4}-\d\d-\d\d\b/.test(reason))).toEqual([])
})
