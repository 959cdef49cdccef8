/**
 * Compiled queries: graphql-jit's code for queries that run often, by the values of their conditions. They respond as
 * graphql-js does (graph.each-run-alike). Mutations are interpreted, since a transaction takes most of their time, and
 * so is introspection.
 *
 * graphql-jit requires that list resolvers of the schema return values and no promises inside the list, and that type
 * resolvers are synchronous and don't throw (rights.ts sees to that).
 */
import type { ExecutionResult, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { LRUCache } from 'lru-cache'
import { cacheLookups } from '../../lib/metrics.ts'
import type { Context } from '../../request/context.ts'
import type { OperationCost } from './cost.ts'
import { coercedVariables, type Operation, type Variables } from './operation.ts'
import { conditionVariables, schemaOfVariants, variantOf } from './variant.ts'

/**
 * The run at which a variant is compiled. Compilation costs as much as ten interpreted runs, and many documents are run
 * once.
 */
export const RUNS_BEFORE_COMPILING = 3
/** The most runs before a variant is compiled again. They double each time its code is evicted. */
export const RUNS_BEFORE_COMPILING_MAX = 96

/**
 * The most fields of a compiled query. Larger ones are interpreted, since nested fragments are compiled at each spread,
 * which takes seconds.
 */
export const COMPILED_FIELDS_MAX = 1_000
/** The most fields of all compiled variants together; a field takes some 16 kB. */
export const COMPILED_FIELDS_CACHED = 10_000
/** The most variables that decide conditions of a compiled query. A query with more is interpreted. */
export const CONDITION_VARIABLES_MAX = 16
/** The number of recent variants whose runs are counted. */
const VARIANTS_COUNTED = 10_000

const lookups = cacheLookups('compiled_operations')

type Result = Promise<ExecutionResult> | ExecutionResult
/**
 * Compiled code. It returns null before anything has run when graphql-js refuses an argument: then graphql-js must run,
 * for its message.
 */
export type CompiledCode = (ctx: Context, coerced: Variables) => Result | null
/** Compiles the variant of a query for its coerced variables; null when graphql-jit can't. */
export type Compile = (operation: Operation, coerced: Variables) => CompiledCode | null

interface Query {
  readonly number: number
  /** The variables that decide its conditions. */
  readonly conditions: readonly string[]
}

interface Variant {
  readonly fields: number
  runs: number
  /** The run at which it is compiled. */
  compiledAt: number
}

export class CompiledQueries {
  /** They live as long as the syntax tree, which the bounded document cache references. */
  private readonly queries = new WeakMap<OperationDefinitionNode, Query>()
  private queriesSeen = 0
  private readonly variants = new LRUCache<string, Variant>({ max: VARIANTS_COUNTED })
  private readonly codes = new LRUCache<Variant, CompiledCode>({
    maxSize: COMPILED_FIELDS_CACHED,
    sizeCalculation: (_, { fields }) => fields + 1,
    dispose: (_, variant) => {
      variant.runs = 0
      variant.compiledAt = Math.min(2 * variant.compiledAt, RUNS_BEFORE_COMPILING_MAX)
    },
  })

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly compile: Compile,
  ) {}

  /** Runs an operation by compiled code; null when it must be interpreted. */
  run(operation: Operation, cost: OperationCost, ctx: Context): Result | null {
    if (cost.kind !== 'query' || cost.introspects || cost.fields > COMPILED_FIELDS_MAX) return null
    const coerced = coercedVariables(this.schema, operation)
    const key = coerced && this.keyOf(operation, coerced)
    if (!coerced || key === undefined) return null
    const variant = this.variants.get(key) ?? { fields: cost.fields, runs: 0, compiledAt: RUNS_BEFORE_COMPILING }
    variant.runs++
    if (variant.runs === 1) this.variants.set(key, variant)
    if (variant.runs === variant.compiledAt) {
      const code = this.compile(operation, coerced)
      if (code) this.codes.set(variant, code)
    }
    return lookups.count(this.codes.get(variant))?.(ctx, coerced) ?? null
  }

  /** The key of the variant; undefined when it must not be compiled. */
  private keyOf(operation: Operation, coerced: Variables): string | undefined {
    const { number, conditions } = this.queryOf(operation)
    const values = conditions.map((name) => coerced[name])
    // A variable with a default may be null, and graphql-js refuses null when it evaluates the condition.
    if (values.length > CONDITION_VARIABLES_MAX || values.some((value) => typeof value !== 'boolean')) return undefined
    return `${number} ${values.map(Number).join('')}`
  }

  private queryOf(operation: Operation): Query {
    const existing = this.queries.get(operation.definition)
    if (existing) return existing
    const query: Query = { number: this.queriesSeen++, conditions: conditionVariables(operation) }
    this.queries.set(operation.definition, query)
    return query
  }
}

/** Creates the function that compiles variants of the schema's queries. */
export function compiler(schema: GraphQLSchema): Compile {
  const ofVariants = schemaOfVariants(schema)
  return (operation, coerced) => {
    const variant = variantOf(schema, operation, coerced)
    const made = variant && compileQuery(ofVariants, variant.document, '', { disablingCapturingStackErrors: true })
    if (!made || !isCompiledQuery(made)) return null
    const { query: run } = made
    return (ctx, given) => {
      const values = variant.valuesOf(given)
      return values && run(undefined, ctx, values)
    }
  }
}
