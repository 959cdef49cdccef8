/** Record definitions: every edge has every member, and no other. */
import { type GraphQLFieldMap, type GraphQLInputFieldMap, isInputObjectType, isObjectType } from 'graphql'
import { expect, test } from 'vitest'
import { catalogRecord } from '../src/domain/catalog/catalog.ts'
import { catalogRuleRecord } from '../src/domain/catalog/catalog-rule.ts'
import { hierarchyRecord, nodeRecord } from '../src/domain/catalog/hierarchy-node.ts'
import { labelRecord } from '../src/domain/catalog/label.ts'
import type { Schema } from '../src/domain/input/json-schema.ts'
import { makeRecord } from '../src/domain/input/record-change.ts'
import { type RecordDefinition, restNameOf } from '../src/domain/input/record-definition.ts'
import type { Member, Members } from '../src/domain/input/record-members.ts'
import { priceBookRecord } from '../src/domain/pricing/price-book.ts'
import { priceModifierRecord } from '../src/domain/pricing/price-modifier.ts'
import { productPriceRecord } from '../src/domain/pricing/product-price.ts'
import { listedAttributes } from '../src/domain/products/documents.ts'
import { productRecord } from '../src/domain/products/product.ts'
import { offeringRecord } from '../src/domain/subscriptions/offering.ts'
import { planRecord } from '../src/domain/subscriptions/plan.ts'
import { subscriptionProductRecord } from '../src/domain/subscriptions/subscription-product.ts'
import { exportObject } from '../src/export/objects.ts'
import { schema } from '../src/graphql/schema.ts'
import { documents } from '../src/import/unknown.ts'
import type { AuthoredRecord } from '../src/persistence/authored-records.ts'
import { type Model, membersOf } from '../src/persistence/database/columns.ts'

interface Defined {
  readonly record: Pick<RecordDefinition<Members>, 'type' | 'members'>
  readonly model: Model
  /** Its type in the graph. */
  readonly graph: string
  /** The type of the object with its members, where it is another one. */
  readonly object?: string
  /** How the name of its create begins there; absent: `Create`. */
  readonly verb?: string
  /** The input of one of many that one mutation creates and changes. */
  readonly input?: string
}

const records: readonly Defined[] = [
  { record: priceBookRecord, model: 'priceBook', graph: 'PriceBook' },
  { record: subscriptionProductRecord, model: 'subscriptionProduct', graph: 'SubscriptionProduct' },
  { record: priceModifierRecord, model: 'priceModifier', graph: 'PriceModifier' },
  { record: productPriceRecord, model: 'productPrice', graph: 'ProductPrice', verb: 'Add' },
  { record: planRecord, model: 'plan', graph: 'Plan' },
  { record: offeringRecord, model: 'offering', graph: 'Offering' },
  { record: productRecord, model: 'product', graph: 'Product' },
  { record: hierarchyRecord, model: 'catalogNode', graph: 'Hierarchy' },
  { record: nodeRecord, model: 'catalogNode', graph: 'Node', object: 'HierarchyNode' },
  { record: catalogRecord, model: 'catalog', graph: 'Catalog', object: 'CatalogSettings' },
  { record: catalogRuleRecord, model: 'catalogRule', graph: 'CatalogRule' },
  { record: labelRecord, model: 'label', graph: 'Label', input: 'LabelInput' },
]

/** Members that the graph names otherwise, by the type of the record: in inputs and the object, or in each of them. */
const graphNames: Readonly<Record<string, Readonly<Record<string, string | readonly [string, string]>>>> = {
  subscription_product: { price: 'prices' },
  'price-modifier': { modifierType: 'type', currencies: 'prices' },
  'product-price': { currencies: 'prices' },
  subscription_plan: { fixedPrice: 'fixedPrices' },
  subscription_offering: { productIds: ['productIds', 'products'], planIds: ['planIds', 'plans'] },
  product: {
    optionIds: 'optionKeys',
    parentId: ['parentId', 'parent'],
    mainImageId: ['mainImageId', 'mainImage'],
  },
  node: {
    curatedProductIds: ['curatedProductIds', 'curatedProducts'],
    parentId: ['parentId', 'parent'],
    productIds: ['productIds', 'products'],
  },
  catalog: { hierarchyIds: ['hierarchyIds', 'hierarchies'] },
  catalog_rule: { catalogId: ['catalogId', 'catalog'] },
}

/** Members that an edge lacks, by the type of the record: mutations of their own write them. */
const lacking: Readonly<Record<string, Partial<Record<Edge, readonly string[]>>>> = {
  node: { updateInput: ['parentId'] },
}

type Edge = 'columns' | 'createInput' | 'updateInput' | 'object' | 'export' | 'document'

/** What an edge has that is no member of a definition. An object type may have any relation beside its members. */
const apart: Readonly<Record<Edge, readonly string[] | 'anything'>> = {
  columns: ['id', 'createdAt', 'updatedAt'],
  createInput: ['idempotencyKey'],
  updateInput: ['id', 'ifUpdatedAt'],
  object: 'anything',
  export: [],
  document: ['created_at', 'updated_at'],
}

/** What the edges have beside that of records of one type. */
const apartOf: Readonly<Record<string, Partial<Record<Edge, readonly string[]>>>> = {
  subscription_offering: { document: ['relationships'] },
  product: {
    columns: ['componentProductIds'],
    document: [...listedAttributes, 'mpn', 'children', 'component_products'],
  },
  hierarchy: { columns: ['parentId', 'hierarchyId', 'label', 'sortOrder', 'curatedProductIds'] },
  node: { columns: ['hierarchyId'] },
  catalog: { columns: ['firstPublishedAt', 'priceHistoryFrom', 'wordsReleaseId', 'releaseSequence'] },
  'price-modifier': { columns: ['priceBookId'], createInput: ['priceBookId'] },
  'product-price': { columns: ['priceBookId'], createInput: ['priceBookId'] },
}

function fieldsOf(name: string): string[] {
  const type = schema.getType(name)
  if (!isObjectType(type) && !isInputObjectType(type)) throw new Error(`no type ${name}`)
  const fields: GraphQLFieldMap<unknown, unknown> | GraphQLInputFieldMap = type.getFields()
  return Object.keys(fields)
}

/** The names of the members of a document in one of its parts, whose schema may allow null. */
function propertiesOf(document: Schema | undefined, part: 'attributes' | 'relationships'): string[] {
  const whole = (document?.properties as Readonly<Record<string, Schema>> | undefined)?.[part]
  const [first] = (whole?.anyOf as readonly Schema[] | undefined) ?? [whole]
  return Object.keys(first?.properties ?? {})
}

/** Whether a member is stored outside the record's table. */
function isElsewhere(member: Member): boolean {
  return ('hasColumn' in member && !member.hasColumn) || ('column' in member && member.column === 'none')
}

/** The names that each edge has for the members of a record. */
function namesAt({
  record,
  model,
  graph,
  object = graph,
  verb = 'Create',
  input,
}: Defined): Readonly<Record<Edge, readonly string[]>> {
  const { type } = record
  const document = documents[type]
  const stored = makeRecord({ ...record, rules: {} }, { name: 'Name' }, 'id', 0)
  const { data } = exportObject({ type, record: stored } as unknown as AuthoredRecord)
  return {
    columns: membersOf(model),
    createInput: fieldsOf(input ?? `${verb}${graph}Input`),
    updateInput: fieldsOf(input ?? `Update${graph}Input`),
    object: fieldsOf(object),
    export: Object.keys({ ...(data.attributes as object), ...(data.relationships as object) }),
    document: [...propertiesOf(document, 'attributes'), ...propertiesOf(document, 'relationships')],
  }
}

test.each(records.map((defined) => [defined.record.type, defined] as const))(
  'a member of %s is a column, a field of both inputs and of the object, exported, and known to imports',
  (type, defined) => {
    const expected = (edge: Edge): string[] =>
      Object.entries(defined.record.members).flatMap(([name, member]) => {
        if (edge === 'columns') return isElsewhere(member) ? [] : [name]
        if (edge === 'export' || edge === 'document') return [restNameOf(name, member)]
        const graphName = graphNames[type]?.[name] ?? name
        return typeof graphName === 'string' ? graphName : graphName[edge === 'object' ? 1 : 0]
      })
    const differences = Object.entries(namesAt(defined)).flatMap(([edge, names]) => {
      const wanted = expected(edge as Edge)
      const others = apart[edge as Edge]
      const own = apartOf[type]?.[edge as Edge] ?? []
      const lacked = lacking[type]?.[edge as Edge] ?? []
      const known = others === 'anything' ? names : [...wanted, ...others, ...own]
      return [
        ...wanted.filter((name) => ![...names, ...lacked].includes(name)).map((name) => `${edge} lacks ${name}`),
        ...names.filter((name) => !known.includes(name)).map((name) => `${edge} has ${name}, which is not defined`),
      ]
    })
    expect(differences).toEqual([])
  },
)
