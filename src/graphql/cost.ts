/**
 * What an operation may cost: about how many objects its answer holds when every page is full, with values under an alias of their own and
 * the lists that its arguments bring. It is told before anything runs, from the document and the variables alone. Fields are collected as
 * execution collects them, so that a fragment counts wherever it is spread, and once where its fields merge.
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
import { constantSize, entrySizes, listSize, pageSize, type Size, type Variables } from './cost-size.ts'

/** Dearer operations are refused. A page of 100 with three lists in each item costs a few thousand. */
export const COST_MAX = 50_000
/** Fields that are looked at to tell a cost, each place of a fragment counted: more would cost too much to tell. */
export const COST_FIELDS_MAX = 20_000
/** What a list without paging is taken to hold. */
export const PLAIN_LIST = 10
/** What the whole schema costs each time that it is told, whatever is asked of its hundreds of types. */
export const SCHEMA_COST = 10_000
const schemaFields: ReadonlySet<string> = new Set(['__Schema.types', '_Service.sdl'])

export interface OperationCost {
  /** Past COST_MAX it may be less than the whole. */
  readonly of: (variables: Variables | null | undefined) => number
  /** Whether it asks for `__schema` or `__type`. */
  readonly introspects: boolean
  /** How many fields the operation has, each place of a fragment counted. */
  readonly fields: number
}

/** A part of the cost: `count` times the product of the sizes that variables decide. */
interface Term {
  count: number
  readonly sizes: readonly Exclude<Size, number>[]
}

/** The cost of a valid operation, as a sum that is quick to tell for any variables. */
export function costOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): OperationCost {
  const walk = new Walk(schema, document, operation)
  const root = schema.getRootType(operation.operation)
  if (root) walk.selections(root, [operation.selectionSet], 1, [], null)
  const { introspects, fields } = walk
  const terms = [...walk.terms.values()]
  if (terms.every(({ sizes }) => sizes.length === 0)) {
    const whole = terms.reduce((sum, { count }) => sum + count, 0)
    return { of: () => whole, introspects, fields }
  }
  const of: OperationCost['of'] = (variables) =>
    terms.reduce((sum, { count, sizes }) => sum + sizes.reduce((product, size) => product * size.of(variables ?? {}), count), 0)
  return { of, introspects, fields }
}

class Walk {
  readonly terms = new Map<string, Term>()
  introspects = false
  fields = 0
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** The variables that may hold lists. */
  private readonly lists: ReadonlySet<string>

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
  ) {
    const fragments = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION)
    this.fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]))
    const declared = operation.variableDefinitions ?? []
    this.lists = new Set(
      declared.filter(({ type }) => !isLeafType(getNullableType(typeFromAST(schema, type)))).map(({ variable }) => variable.name.value),
    )
  }

  /** Adds what the selections cost in each of `count` x `sizes` objects. `page` is the size of the connection that they stand in. */
  selections(type: GraphQLCompositeType, sets: readonly SelectionSetNode[], count: number, sizes: Term['sizes'], page: Size | null): void {
    const collected = new Map<string, Collected>()
    const spread = new Set<string>()
    for (const set of sets) this.collect(type, set, collected, spread)
    for (const { field, nodes } of collected.values()) {
      if (schemaFields.has(`${type.name}.${field.name}`)) this.add(count * SCHEMA_COST, sizes)
      this.field(field, nodes, count, sizes, page)
    }
  }

  private field(field: Field, nodes: readonly FieldNode[], count: number, sizes: Term['sizes'], page: Size | null): void {
    if (field === SchemaMetaFieldDef || field === TypeMetaFieldDef) this.introspects = true
    const [first] = nodes
    const type = getNamedType(field.type)
    if (!first) return
    for (const entries of entrySizes(first, this.lists)) this.add(count, [...sizes, entries])
    if (!isCompositeType(type)) {
      // The values of an object are part of it, each once; under other names they could be asked for again and again.
      if (first.alias) this.add(count, sizes)
      return
    }
    const size = this.sizeOf(field, first, page)
    const times = typeof size === 'number' ? count * size : count
    const within = typeof size === 'number' ? sizes : [...sizes, size]
    this.add(times, within)
    if (times === 0 || this.isOver()) return
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
    this.selections(type, sets, times, within, pageSize(field, first, this.operation))
  }

  private sizeOf(field: Field, node: FieldNode, page: Size | null): Size {
    if (!isListType(getNullableType(field.type))) return 1
    if (page !== null && (field.name === 'edges' || field.name === 'nodes')) return page
    return listSize(field, node, this.operation) ?? PLAIN_LIST
  }

  private add(count: number, sizes: Term['sizes']): void {
    const key = sizes.map((size) => size.key).join(' ')
    const term = this.terms.get(key)
    if (term) term.count += count
    else this.terms.set(key, { count, sizes })
  }

  /** What is dear for sure need not be told to the end. */
  private isOver(): boolean {
    if (this.fields > COST_FIELDS_MAX) this.terms.set('', { count: COST_MAX + 1, sizes: constantSize })
    return (this.terms.get('')?.count ?? 0) > COST_MAX
  }

  private collect(type: GraphQLCompositeType, set: SelectionSetNode, into: Map<string, Collected>, spread: Set<string>): void {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        this.fields++
        const field = this.fieldOf(type, selection.name.value)
        const key = `${type.name} ${selection.alias?.value ?? selection.name.value}`
        const known = into.get(key)
        if (known) known.nodes.push(selection)
        else if (field) into.set(key, { field, nodes: [selection] })
        continue
      }
      const name = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : undefined
      if (name !== undefined && spread.has(name)) continue
      if (name !== undefined) spread.add(name)
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : this.fragments.get(selection.name.value)
      if (fragment) this.collect(this.typeOf(fragment.typeCondition?.name.value, type), fragment.selectionSet, into, spread)
    }
  }

  /** Conditions that can only narrow what stands there keep its type, so that the same fields count once. */
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
