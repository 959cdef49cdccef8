/**
 * Query cost analysis: what an operation costs at most, with all pages full, in points of about five microseconds of
 * one core. The cost is computed from the document and the variables before anything runs.
 *
 * Fields are collected as the executor collects them: a fragment counts wherever it is spread, and merged fields count
 * once. A list without paging counts as PLAIN_LIST items; its real length is counted while the operation runs
 * (list-work.ts). A search costs SEARCH_WEIGHT, once for each text, since lists that search the same release for the
 * same text share what is found.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  typeFromAST,
} from 'graphql'
import { entrySizes, listSize, pageSize, type SearchText, type Size, searchOf } from './cost-size.ts'
import { type CostNode, type DearestPage, dearestPage, likelySize, pointsOf, setItemPoints } from './cost-tree.ts'
import {
  LEAF_WEIGHT,
  LEAVES_FREE,
  LIKELY_SEARCH_WEIGHT,
  OBJECT_WEIGHT,
  SCHEMA_WEIGHT,
  SEARCH_WEIGHT,
  typeWeights,
} from './cost-weights.ts'
import { averageLength, PLAIN_LIST } from './list-work.ts'
import { fragmentsOf, type Variables } from './operation.ts'

/**
 * Fields of an operation, with fragments counted at each spread. The analysis of more fields would itself cost too
 * much.
 */
export const COST_FIELDS_MAX = 20_000
const schemaFields: ReadonlySet<string> = new Set(['__Schema.types', '_Service.sdl'])

/** The cost of an operation, for any variables. */
export interface OperationCost {
  readonly kind: 'query' | 'mutation' | 'subscription'
  /** Points at most, a whole number. */
  readonly of: (variables: Variables) => number
  /** Points with lists without paging at their recent average length. */
  readonly likely: (variables: Variables) => number
  /** The page that costs most; null when the operation has no connection. */
  readonly dearest: (variables: Variables) => DearestPage | null
  /** The number of different texts that it searches for. */
  readonly searches: (variables: Variables) => number
  /** Whether it selects `__schema` or `__type`. */
  readonly introspects: boolean
  /** The number of fields, with fragments counted at each spread; above COST_FIELDS_MAX the count is incomplete. */
  readonly fields: number
}

/** Computes the cost of a valid operation. */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): OperationCost {
  const walk = new Walk(schema, document, operation)
  const top: CostNode = { name: '', size: 1, length: null, points: 0, entries: [], children: [], page: null }
  const type = schema.getRootType(operation.operation)
  if (type) walk.selections(type, [operation.selectionSet], top, null)
  const { introspects, fields, varies, searched } = walk
  const searches = (variables: Variables): number => new Set(searched.flatMap((textOf) => textOf(variables) ?? [])).size
  const entries: Size[] = searched.length > 0 ? [(variables) => searches(variables) * SEARCH_WEIGHT] : []
  const root: CostNode = { ...top, entries }
  const whole = varies ? null : Math.round(pointsOf(root, {}))
  return {
    kind: operation.operation,
    likely: (variables) =>
      Math.round(pointsOf(top, variables, likelySize)) + searches(variables) * LIKELY_SEARCH_WEIGHT,
    of: (variables) => whole ?? Math.round(pointsOf(root, variables)),
    dearest: (variables) => dearestPage(root, variables),
    searches,
    introspects,
    fields,
  }
}

/** Walks an operation once and builds its cost tree. */
class Walk {
  introspects = false
  fields = 0
  /** Whether any size depends on a variable. */
  varies = false
  /** What it searches for. */
  readonly searched: SearchText[] = []
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of the variables that may be lists or have lists in them. */
  private readonly lists: ReadonlySet<string>

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
  ) {
    this.fragments = fragmentsOf(document)
    const declared = operation.variableDefinitions ?? []
    this.lists = new Set(
      declared
        .filter(({ type }) => !isLeafType(getNullableType(typeFromAST(schema, type))))
        .map(({ variable }) => variable.name.value),
    )
  }

  /** Adds the cost of the selections per object to `into`. `page` is the page size if the parent is a connection. */
  selections(type: GraphQLCompositeType, sets: readonly SelectionSetNode[], into: CostNode, page: Size | null): void {
    const collected = new Map<string, Collected>()
    const spread = new Set<string>()
    for (const set of sets) this.collect(type, set, collected, spread)
    let leaves = 0
    for (const { field, nodes } of collected.values()) {
      if (schemaFields.has(`${type.name}.${field.name}`)) into.points += SCHEMA_WEIGHT
      if (field === SchemaMetaFieldDef || field === TypeMetaFieldDef) this.introspects = true
      const child = this.child(field, nodes, page)
      if (isLeafType(getNamedType(field.type))) leaves++
      if (child.children.length > 0 || child.points > 0 || child.entries.length > 0) into.children.push(child)
    }
    into.points += Math.max(0, leaves - LEAVES_FREE) * LEAF_WEIGHT
  }

  private child(field: Field, nodes: readonly FieldNode[], page: Size | null): CostNode {
    const first = nodes[0] as FieldNode
    const type = getNamedType(field.type)
    const entries = entrySizes(first, this.lists)
    const name = first.alias?.value ?? field.name
    const ofPage = pageSize(field, first, this.operation)
    const size = this.sizeOf(field, first, page)
    const length = size === null ? averageLength(field) : null
    const node: CostNode = { name, size: size ?? PLAIN_LIST, length, points: 0, entries, children: [], page: ofPage }
    const search = searchOf(field, first, this.operation)
    if (search) this.searched.push(search)
    this.varies ||= search !== null || [node.size, ...entries].some((size) => typeof size !== 'number')
    if (!isCompositeType(type)) return node
    node.points = typeWeights[type.name] ?? OBJECT_WEIGHT
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    if (this.fields <= COST_FIELDS_MAX) this.selections(type, sets, node, ofPage)
    if (isListType(getNullableType(field.type))) setItemPoints(first, node)
    return node
  }

  /** The number of objects that the field returns; null for a list without paging. */
  private sizeOf(field: Field, node: FieldNode, page: Size | null): Size | null {
    if (!isListType(getNullableType(field.type))) return 1
    if (page !== null && (field.name === 'edges' || field.name === 'nodes')) return page
    return listSize(field, node, this.operation)
  }

  private collect(
    type: GraphQLCompositeType,
    set: SelectionSetNode,
    into: Map<string, Collected>,
    spread: Set<string>,
  ): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        this.fields++
        const field = this.fieldOf(type, selection.name.value)
        const key = `${type.name} ${selection.alias?.value ?? selection.name.value}`
        const merged = into.get(key)
        if (merged) merged.nodes.push(selection)
        else if (field) into.set(key, { field, nodes: [selection] })
        continue
      }
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
      if (name !== undefined && spread.has(name)) continue
      if (name !== undefined) spread.add(name)
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments.get(selection.name.value)
      if (fragment)
        this.collect(this.typeOf(fragment.typeCondition?.name.value, type), fragment.selectionSet, into, spread)
    }
  }

  /** The type of a fragment's fields. On an object type, it stays that type, so that merged fields count once. */
  private typeOf(name: string | undefined, here: GraphQLCompositeType): GraphQLCompositeType {
    const type = name === undefined ? undefined : this.schema.getType(name)
    return isCompositeType(type) && !isObjectType(here) ? type : here
  }

  private fieldOf(type: GraphQLCompositeType, name: string): Field | undefined {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef
    return 'getFields' in type ? type.getFields()[name] : undefined
  }
}

type Field = GraphQLField<unknown, unknown>

interface Collected {
  readonly field: Field
  readonly nodes: FieldNode[]
}
