import { readFileSync } from 'node:fs'
import {
  astFromValue,
  buildSchema,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isScalarType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
  validateSchema,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { violationCodes } from '../../src/domain/input/errors.ts'
import { schemaText } from '../../src/graphql/schema/schema-text.ts'
import { schema } from '../../src/graphql/schema.ts'

const printed = readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8')

/** Every named thing of the schema with its description. */
function* members(of: GraphQLSchema): Generator<[string, string | null | undefined]> {
  for (const directive of of.getDirectives())
    if (!isSpecifiedDirective(directive)) yield [`@${directive.name}`, directive.description]
  for (const type of Object.values(of.getTypeMap())) {
    if (type.name.startsWith('__') || isSpecifiedScalarType(type)) continue
    yield [type.name, type.description]
    if (isEnumType(type)) for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description]
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field.description]
    if (!isObjectType(type) && !isInterfaceType(type)) continue
    for (const field of Object.values(type.getFields())) {
      yield [`${type.name}.${field.name}`, field.description]
      for (const argument of field.args) yield [`${type.name}.${field.name}(${argument.name})`, argument.description]
    }
  }
}

/** Names that Apollo Federation prescribes begin with an underscore. */
const named = [...members(schema)].map(([name]) => name).filter((name) => !/(^|\.)_/.test(name))

const outputTypes = Object.values(schema.getTypeMap()).filter(
  (type) => (isObjectType(type) || isInterfaceType(type)) && !type.name.startsWith('__'),
) as (GraphQLObjectType | GraphQLInterfaceType)[]
/** Each field of each object and interface, by `Type.field`. */
const outputFields = outputTypes.flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ name: `${type.name}.${field.name}`, field, of: type })),
)

/** Why a field names an id or a key in place of an object, or beside it. */
const idsAndKeys = {
  'names an entry within its record, or one that is no node': [
    'Attribute.key',
    'CarryConflict.key',
    'CatalogComponent.key',
    'CustomInput.key',
    'ExtensionField.key',
    'Facet.key',
    'File.key',
    'HistoryEntry.key',
    'ProductComponent.key',
    ...['SubscriptionChange.key', 'SubscriptionChange.pauseKey'],
    'Variation.key',
    'VariationOption.key',
    'WebhookDeadLetter.key',
  ],
  'is a name that the store chose': ['Label.key'],
  'refers to such an entry': ['Product.optionKeys', 'VariationMatrixEntry.optionKeys'],
  'is the same in every release and in REST, while id names the release': [
    'CatalogHierarchy.key',
    'CatalogNode.key',
    'CatalogProduct.key',
    'CatalogTreeNode.key',
  ],
  'refers to a product that the release may lack': [
    'CatalogOption.productKey',
    'CatalogProduct.childKeys',
    'CatalogProduct.parentKey',
    'ComponentProduct.productKey',
    'SelectedOption.productKey',
    'VariationMatrixEntry.productKey',
  ],
  'refers to a price book, which shoppers may not read': [
    'CatalogPrice.priceBookKey',
    'CatalogProduct.priceBookKey',
    'ComponentProduct.priceBookKey',
  ],
  'refers to an account, which is none here before its first subscription': ['Viewer.accountId'],
  'refers to a record that may be deleted': [
    ...['CarryConflict.hierarchyId', 'CarryConflict.nodeId', 'CarryConflict.productId'],
    'CatalogChanged.catalogId',
    'HistoryEntry.recordId',
    'OfferingSnapshot.offeringId',
    'OfferingSnapshot.planIds',
    'OfferingSnapshot.productIds',
    'PlanSnapshot.planId',
    'ProductChanged.productId',
    'SubscriptionCounts.planId',
    'SubscriptionItem.productId',
    'ProductComponentOption.productId',
    'ProductPriceChanged.productPriceId',
    'ReleasePublished.releaseId',
    'ImportJobChanged.importJobId',
    'ReleaseWarning.hierarchyId',
    'ReleaseWarning.priceBookId',
    'ReleaseWarning.productId',
    'Sale.bundleIds',
    'SubscriptionChanged.subscriptionId',
    'WebhookDeadLetter.recordKey',
  ],
  'refers to accounts, which are stored elsewhere': ['CatalogRule.accountIds'],
}

/** Leaf fields whose name speaks of money, and why each is no amount of its own. */
const namedLikeMoney = {
  'the parts of money': ['Money.amount', 'Money.formatted'],
  'says whether the amount beside it includes tax': [
    'CatalogPrice.includesTax',
    'CatalogPriceModifierAmount.includesTax',
    'Price.includesTax',
    'PriceQuantityStep.includesTax',
    'PriceTier.includesTax',
    'SubscriptionItem.includesTax',
    'TieredPrice.includesTax',
  ],
  'counts units of a product, such as 250 grams': ['PriceUnits.amount'],
  'a percentage': ['Plan.basePricePercentage', 'PlanSnapshot.basePricePercentage'],
  'counts prices': ['ImportJob.priceChangeCount'],
  'names or identifies a record': [
    'CatalogPrice.priceBookKey',
    'CatalogProduct.priceBookKey',
    'CatalogProduct.priceModifierNames',
    'ComponentProduct.priceBookKey',
    'ComponentProduct.priceModifierNames',
    'ProductPriceChanged.productPriceId',
    'ReleaseWarning.priceBookId',
    'VariationOption.priceModifierNames',
  ],
}

/** The names of all numbers; another one has to be looked at, since it might be an amount without a currency. */
const numbers = {
  money: ['amount', 'fractionDigits'],
  'how many': [
    ...[
      'added',
      'attempts',
      'changed',
      'count',
      'done',
      'down',
      'max',
      'maxLength',
      'min',
      'minimumQuantity',
      'moved',
      'quantity',
    ],
    ...['removed', 'totalCount', 'totalSteps', 'up'],
    ...[
      'activeCount',
      'canceledCount',
      'canceledThisMonthCount',
      'changedCount',
      'childCount',
      'closedCount',
      'pausedCount',
      'pendingCount',
      'planCount',
      'trialCount',
      'conflictCount',
      'erasedCount',
      'nodeCount',
      'onSaleCount',
      'productCount',
      'refusedCount',
      'retriedCount',
      'unchangedCount',
    ],
    ...['ruleCount', 'skuCount', 'waitingCount', 'warningCount'],
    ...['byteCount', 'createdCount', 'handledCount', 'priceChangeCount', 'updatedCount'],
  ],
  pixels: ['height', 'width'],
  'which place': ['level', 'parentIndex', 'priority', 'row', 'sequence', 'sortOrder'],
  'terms of a plan or a subscription': [
    'basePricePercentage',
    'billingDay',
    'billingFrequency',
    'planLength',
    'trialPeriod',
  ],
}

describe('schema.graphql', () => {
  test('schema.graphql equals the served schema (npm run schema:print writes it)', () => {
    expect(printed).toBe(schemaText(schema))
  })

  test('schema.graphql parses to the same schema, with Subscription as a root and AccountSubscription as the noun', () => {
    const read = buildSchema(printed)
    expect(read.getSubscriptionType()?.name).toBe('Subscription')
    expect(read.getType('AccountSubscription')?.astNode?.kind).toBe('ObjectTypeDefinition')
    expect(printSchema(lexicographicSortSchema(read))).toBe(printSchema(lexicographicSortSchema(schema)))
  })

  test('schema.graphql is valid', () => {
    expect(validateSchema(schema)).toEqual([])
  })
})

describe('descriptions and names', () => {
  test('every type, field, argument and value has a description that ends as a sentence', () => {
    const wrong = [...members(schema)].filter(([, description]) => !/\S.*[.:)`]$/s.test(description ?? ''))
    expect(wrong).toEqual([])
  })

  test('types are PascalCase, directives, fields and arguments camelCase, enum values UPPER_CASE', () => {
    const enums = Object.values(schema.getTypeMap())
      .filter(isEnumType)
      .map((type) => type.name)
    const wrong = named.filter((name) => {
      if (name.startsWith('@')) return !/^@[a-z][A-Za-z]*(\(\w+\))?$/.test(name)
      const [, type = '', member, argument] = /^(\w+)(?:\.(\w+)(?:\((\w+)\))?)?$/.exec(name) ?? []
      if (!/^[A-Z][A-Za-z0-9]*$/.test(type)) return true
      if (member === undefined) return false
      if (enums.includes(type)) return !/^[A-Z][A-Z0-9_]*$/.test(member)
      return ![member, argument ?? 'a'].every((part) => /^[a-z][A-Za-z0-9]*$/.test(part))
    })
    expect(wrong).toEqual([])
  })

  test('the name of an input type ends in Input, in Filter where it says which items to list, or in Key where it says which one', () => {
    const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
    expect(inputs.length).toBeGreaterThan(80)
    expect(inputs.map(({ name }) => name).filter((name) => !/(Input|Filter|Key)$/.test(name))).toEqual([])
  })

  test('a field whose name ends in Id or Ids is of the type ID', () => {
    const wrong = [...Object.values(schema.getTypeMap())].flatMap((type) => {
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return []
      const ids = Object.values(type.getFields()).filter(({ name }) => /[a-z]Ids?$/.test(name))
      return ids
        .filter((field) => String(field.type).replace(/[[\]!]/g, '') !== 'ID')
        .map(({ name }) => `${type.name}.${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('graph.global-or-raw-ids: a field whose name ends in Id or Ids is described as a global id; a UUID is called a key', () => {
    const wrong = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type) && !isInterfaceType(type)) return []
      const ids = Object.values(type.getFields()).filter(({ name }) => /[a-z]Ids?$/.test(name))
      return ids
        .filter(({ description }) => !/^The global ids? of /.test(description ?? ''))
        .map(({ name }) => `${type.name}.${name}`)
    })
    expect(wrong).toEqual([])
  })

  test('graph.global-or-raw-ids: a field called id is the global id of a node; an id that is unique only within a record is called key', () => {
    const wrong = Object.values(schema.getTypeMap()).flatMap((type) => {
      if (!isObjectType(type) && !isInterfaceType(type)) return []
      const id = type.getFields().id
      const isNode = type.name === 'Node' || type.getInterfaces().some(({ name }) => name === 'Node')
      // The key that billing systems use, of what is computed and stored nowhere.
      if (type.name === 'SubscriptionInvoice') return []
      return (id === undefined ? isNode : !isNode || String(id.type) !== 'ID!') ? [`${type.name}.id: ${id?.type}`] : []
    })
    expect(wrong).toEqual([])
  })

  test('graph.global-or-raw-ids: an output field is named after an id or a key only for one of the reasons listed here', () => {
    const named = outputFields.map(({ name }) => name).filter((name) => /(\.key|[a-z](Id|Key)s?)$/.test(name))
    expect(named.sort()).toEqual(Object.values(idsAndKeys).flat().sort())
  })

  test('an id or key stands beside the object itself only where the object may be absent', () => {
    const objects = outputFields.flatMap(({ name, of }) => {
      const [, object = ''] = /\.(\w+?)(?:Id|Key)$/.exec(name) ?? []
      const field = of.getFields()[object]
      return field ? [`${of.name}.${object}: ${field.type}`] : []
    })
    expect(objects.length).toBeGreaterThan(10)
    expect(objects.filter((object) => object.endsWith('!'))).toEqual([])
  })

  test('graph.expected-failures-in-payload: each mutation starts with a verb, takes one input and returns its own payload with userErrors', () => {
    const verbs =
      /^(add|attach|build|cancel|change|check|configure|create|curate|delete|detach|end|erase|migrate|move|pause|publish|remove|restore|resume|retry|rotate|set|start|suspend|undo|unsuspend|update|upsert|withdraw)[A-Z]/
    for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      const capitalized = `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`
      expect(field.name).toMatch(verbs)
      expect([field.name, field.args.map((argument) => `${argument.name}: ${argument.type}`)]).toEqual([
        field.name,
        [`input: ${capitalized}Input!`],
      ])
      expect(String(field.type)).toBe(`${capitalized}Payload!`)
      const payload = schema.getType(`${capitalized}Payload`)
      expect(isObjectType(payload) && String(payload.getFields().userErrors?.type)).toBe('[UserError!]!')
    }
  })

  test('graph.connections-both-ways: each connection takes first, after, last and before', () => {
    const missing: string[] = []
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isObjectType(type)) continue
      for (const field of Object.values(type.getFields())) {
        if (!/Connection!?$/.test(String(field.type))) continue
        const names = field.args.map((argument) => argument.name)
        if (!['first', 'after', 'last', 'before'].every((name) => names.includes(name)))
          missing.push(`${type.name}.${field.name}`)
      }
    }
    expect(missing).toEqual([])
  })

  test('an amount is Money wherever it is shown: what else has a name like one, and all numbers, are listed here', () => {
    const leaves = outputFields.filter(({ field }) => isLeafType(getNamedType(field.type)))
    const like = leaves
      .map(({ name }) => name)
      .filter((name) => /\.\w*(amount|price|cost|fee|discount|tax|formatted|money)/i.test(name))
    expect(like.sort()).toEqual(Object.values(namedLikeMoney).flat().sort())
    const found = leaves.filter(({ field }) => ['Int', 'Float', 'Long'].includes(getNamedType(field.type).name))
    expect([...new Set(found.map(({ field }) => field.name))].sort()).toEqual(Object.values(numbers).flat().sort())
  })

  test('every connection has totalCount: Int!, nodes, edges and pageInfo', () => {
    const connections = outputTypes.filter(({ name }) => name.endsWith('Connection'))
    expect(connections.length).toBeGreaterThan(15)
    for (const connection of connections) {
      const { name } = connection
      const item = name.replace(/Connection$/, '')
      const fields = Object.fromEntries(
        Object.values(connection.getFields()).map((field) => [field.name, String(field.type)]),
      )
      expect(fields, name).toMatchObject({
        totalCount: 'Int!',
        nodes: `[${item}!]!`,
        edges: `[${item}Edge!]!`,
        pageInfo: 'PageInfo!',
      })
    }
  })

  test('every argument orderBy takes a field, of an enum, and a direction, ascending by default, and a currency where it may be the price', () => {
    const orders = outputFields.flatMap(({ name, field }) => {
      const order = field.args.find((argument) => argument.name === 'orderBy')
      return order ? [{ name, type: order.type }] : []
    })
    expect(orders.length).toBeGreaterThan(30)
    for (const { name, type } of orders) {
      const of = String(type).replace(/OrderInput$/, '')
      const input = schema.getType(`${of}OrderInput`)
      const { field, direction, ...others } = isInputObjectType(input) ? input.getFields() : {}
      expect([String(field?.type), isEnumType(schema.getType(`${of}OrderField`))], name).toEqual([
        `${of}OrderField!`,
        true,
      ])
      expect(
        direction && [String(direction.type), astFromValue(direction.defaultValue, direction.type)],
        name,
      ).toMatchObject(['OrderDirection', { value: 'ASC' }])
      expect(Object.keys(others), name).toEqual(['CatalogProduct', 'ReleaseChange'].includes(of) ? ['currency'] : [])
    }
  })

  test('every scalar of our own says where it is specified; _Any is specified by federation', () => {
    const scalars = Object.values(schema.getTypeMap()).filter(
      (type) => isScalarType(type) && !isSpecifiedScalarType(type),
    )
    const url = /^https:\/\/\S+$/
    const specified = scalars.map((type) => [type.name, isScalarType(type) && url.test(type.specifiedByURL ?? '')])
    expect(specified.sort()).toEqual([
      ['CurrencyCode', true],
      ['Date', true],
      ['DateTime', true],
      ['JSON', true],
      ['Long', true],
      ['_Any', false],
    ])
  })

  test('no description points into the source', () => {
    expect([...members(schema)].filter(([, text]) => /\.(ts|md)\b|README/.test(text ?? ''))).toEqual([])
  })

  test('the description of @inContext names each header of shopper requests', () => {
    const source = readFileSync(new URL('../../src/request/shopper-headers.ts', import.meta.url), 'utf8')
    const headers = [...source.matchAll(/text\('([\w-]+)'\)/g)].map(([, header = '']) => header)
    expect(headers.sort()).toEqual(['accept-language', 'ep-channel', 'ep-context-tag', 'x-moltin-currency'])
    const description = schema.getDirective('inContext')?.description?.toLowerCase() ?? ''
    expect(headers.filter((header) => !description.includes(header))).toEqual([])
  })

  test('the codes of userErrors are the violation codes of the domain', () => {
    const codes = schema.getType('UserErrorCode')
    const values = isEnumType(codes) ? codes.getValues().map(({ name, description }) => [name, description]) : []
    expect(values).toEqual(Object.entries(violationCodes).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
})
