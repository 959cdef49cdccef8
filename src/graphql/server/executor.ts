/**
 * Executor of operations: cost limit, admission, compiled queries, and masking of errors. Checks that need the
 * variables or the viewer belong here. Checks of the document alone are validation rules.
 */
import {
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type Source,
  validate,
} from 'graphql'
import { jsonSize } from '../../lib/json-size.ts'
import { HEAVY_POINTS } from '../../request/concurrency-limiter.ts'
import type { Context } from '../../request/context.ts'
import { RESPONSE_CHARACTERS_MAX, WorkLimit } from '../../request/request-work.ts'
import { toClientErrors } from '../schema/errors.ts'
import { limitError, workLimitError } from '../schema/limit-error.ts'
import { visibleSchema } from '../schema/visible-schema.ts'
import { CompiledQueries, compiler } from './compiled.ts'
import { COST_FIELDS_MAX, costOf, type OperationCost } from './cost.ts'
import { COST_MAX, type DearestPage } from './cost-tree.ts'
import { SEARCH_WEIGHT } from './cost-weights.ts'
import { operationContext } from './in-context.ts'
import { findOperation, type Operation, type OperationRequest, type Variables } from './operation.ts'
import { withCost, withValidUntil } from './result-extensions.ts'
import { refuseSelection } from './selection-check.ts'
import { withoutSuggestion } from './suggestions.ts'

/** Runs an operation. Rejects with Unavailable when it gets no permit in time, or its deadline passes. */
export type Execute = (request: OperationRequest, ctx: Context) => Promise<ExecutionResult>

/**
 * Characters of a response. A longer one takes a millisecond or more to serialize, so other requests may run before.
 */
export const YIELD_CHARACTERS = 200_000

/**
 * Creates the executor. An operation that `compile` returns null for is interpreted, which is slower and has the same
 * results.
 */
export function createExecutor(schema: GraphQLSchema, compile = compiler(schema)): Execute {
  const compiled = new CompiledQueries(schema, compile)
  // Costs live as long as the syntax tree, which the bounded document cache references.
  const costs = new WeakMap<OperationDefinitionNode, OperationCost>()

  function operationCost({ document, definition }: Operation): OperationCost {
    const cost = costs.get(definition) ?? costOf(schema, document, definition)
    costs.set(definition, cost)
    return cost
  }

  async function run(operation: Operation, cost: OperationCost, ctx: Context): Promise<ExecutionResult> {
    if (cost.introspects && ctx.viewer.role !== 'admin') return introspect(operation, ctx)
    const result = await compiled.run(operation, cost, ctx)
    // When several fields of one parent fail, the order of their failures decides which error graphql-js reports.
    return result === null || hasLostParents(result) ? interpret(schema, operation, ctx) : result
  }

  /** Introspection by anyone but administrators runs on the part of the schema that they may use, and is not stored. */
  function introspect(operation: Operation, ctx: Context): Promise<ExecutionResult> | ExecutionResult {
    ctx.cachePolicy.doNotStore()
    const visible = visibleSchema(schema, ctx.viewer)
    const errors = validate(visible, operation.document)
    return errors.length > 0 ? { errors: errors.map(invalid) } : interpret(visible, operation, ctx)
  }

  async function admitAndRun(request: OperationRequest, requestCtx: Context): Promise<ExecutionResult> {
    const text = request.document.loc?.source
    const operation = findOperation(request)
    // graphql-js says why there is no operation.
    if (!operation)
      return withCost(forClient(await interpret(schema, request, requestCtx), requestCtx, text), 0, requestCtx)
    const ctx = operationContext(schema, operation, requestCtx)
    if (ctx instanceof GraphQLError) return forClient({ errors: [ctx] }, requestCtx, text)
    const cost = operationCost(operation)
    const figure = cost.of(operation.variables)
    const refusal = refusalOf(cost, operation.variables, ctx)
    if (refusal) return { errors: [refusal] }
    // A light operation is never treated as heavy, whatever the recent lengths of lists.
    const likely = figure > HEAVY_POINTS ? cost.likely(operation.variables) : figure
    // A request has its token's permit already; each event of a stream acquires one.
    await ctx.work.admit(ctx.concurrencyLimiter, `stream of ${ctx.viewer.subject}`, likely)
    if (cost.kind === 'mutation') ctx.work.interruptible = false
    if (cost.kind !== 'query') ctx.cachePolicy.doNotStore()
    const result = await (refuseSelection(schema, operation, ctx) ??
      Promise.race([run(operation, cost, ctx), ctx.work.aborted]))
    const characters = jsonSize(result.data, RESPONSE_CHARACTERS_MAX)
    ctx.work.countResponse(characters)
    if (ctx.work.isHeavy || characters > YIELD_CHARACTERS) await ctx.work.nextTurn()
    return withCost(withValidUntil(forClient(result, ctx, text), ctx), figure, ctx)
  }

  return async (request, ctx) => {
    try {
      return await admitAndRun(request, ctx)
    } catch (error) {
      if (error instanceof WorkLimit) return { errors: [workLimitError(error)] }
      throw error
    } finally {
      // This happens before the response is sent, since slow clients take long to read it.
      ctx.work.releasePermit()
    }
  }
}

/**
 * Why an operation must not run: it costs too much, or a shopper requests introspection in production. Null when it may
 * run.
 */
export function refusalOf(cost: OperationCost, variables: Variables, ctx: Context): GraphQLError | null {
  const { introspects, fields } = cost
  if (fields > COST_FIELDS_MAX)
    return limitError(
      'QUERY_TOO_COSTLY',
      'The number of fields, each place of a fragment counted,',
      fields,
      COST_FIELDS_MAX,
    )
  const figure = cost.of(variables)
  if (figure > COST_MAX) return tooCostly(figure, cost.dearest(variables), cost.searches(variables))
  if (!introspects || !ctx.config.production || ctx.viewer.role === 'admin') return null
  return new GraphQLError('Query.__schema and Query.__type are for administrators in production', {
    extensions: { code: 'FORBIDDEN' },
  })
}

/**
 * The error of an operation that costs too much: its searches, or the page that costs most and the size with which it
 * would pass.
 */
function tooCostly(figure: number, dearest: DearestPage | null, searches: number): GraphQLError {
  const error = limitError('QUERY_TOO_COSTLY', 'The cost', figure, COST_MAX)
  if (searches * SEARCH_WEIGHT > figure / 2)
    return new GraphQLError(`${error.message}: its ${searches} searches cost ${SEARCH_WEIGHT} each`, {
      extensions: error.extensions,
    })
  if (dearest === null) return error
  const { path, first, passes } = dearest
  const place = path.join('.')
  const advice = passes > 0 ? `with \`first: ${passes}\` there it would pass` : 'and other pages are too long as well'
  const extensions = { ...error.extensions, dearest: { path, first, passes } }
  return new GraphQLError(
    `${error.message}: the page at ${place} (${first} ${first === 1 ? 'item' : 'items'}) costs most, ${advice}`,
    {
      extensions,
    },
  )
}

/** Whether one of several errors made a parent of its field null. */
function hasLostParents({ data, errors = [] }: ExecutionResult): boolean {
  const isLost = ({ path = [] }: GraphQLError): boolean => {
    let parent: unknown = data
    return path.some((key) => {
      if (parent == null) return true
      parent = (parent as Record<string, unknown>)[key]
      return false
    })
  }
  return errors.length > 1 && errors.some(isLost)
}

const invalid = ({ message, nodes }: GraphQLError) =>
  new GraphQLError(message, { nodes: nodes ?? [], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } })

function interpret(schema: GraphQLSchema, request: OperationRequest, ctx: Context) {
  const { document, operationName = null, variables = null, root } = request
  return execute({ schema, document, operationName, variableValues: variables, rootValue: root, contextValue: ctx })
}

/** The result with its errors masked for the client, in production also without suggestions. */
export function forClient(result: ExecutionResult, ctx: Context, text?: Source): ExecutionResult {
  if (!result.errors) return result
  const errors = toClientErrors(result.errors, ctx, text)
  return { ...result, errors: ctx.config.production ? errors.map(withoutSuggestion) : errors }
}
