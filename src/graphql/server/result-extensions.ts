/** Extensions of results: `validUntil`, the end of a result's validity, and its `cost`. */
import type { ExecutionResult } from 'graphql'
import { formatInstant } from '../../domain/input/instant.ts'
import type { Context } from '../../request/context.ts'
import { COST_MAX } from './cost-tree.ts'

/**
 * Adds extensions.validUntil to a result that depends only on releases and the instant
 * (graph.tells-until-when-it-is-true).
 */
export function withValidUntil(result: ExecutionResult, { cachePolicy, now }: Context): ExecutionResult {
  if (result.errors || !cachePolicy.isStorable(now)) return result
  const { expiresAt } = cachePolicy
  return {
    ...result,
    extensions: { ...result.extensions, validUntil: Number.isFinite(expiresAt) ? formatInstant(expiresAt) : null },
  }
}

/** Adds extensions.cost if the request has the header GraphQL-Cost: the estimate, the points spent, and the limit. */
export function withCost(
  result: ExecutionResult,
  figure: number,
  { showCost, work, cachePolicy }: Context,
): ExecutionResult {
  if (!showCost) return result
  cachePolicy.doNotStore()
  const cost = { figure, spent: Math.round(work.spent), limit: COST_MAX }
  return { ...result, extensions: { ...result.extensions, cost } }
}
