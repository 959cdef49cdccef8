/** Operations that did nothing, since the database or this server was unavailable: their whole response is 503. */
import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, OperationTypeNode } from 'graphql'

/**
 * Whether an operation has no value and failed only with SERVICE_UNAVAILABLE, so that it may be sent again
 * (http.lost-database-is-unavailable). False for several mutations: one may have been done, whatever the result shows.
 */
export function isNothingDone(
  { data, errors = [] }: ExecutionResult,
  document: DocumentNode,
  operationName?: string | null,
): boolean {
  if (errors.length === 0 || errors.some(({ extensions }) => extensions.code !== 'SERVICE_UNAVAILABLE')) return false
  const operation = getOperationAST(document, operationName)
  if (operation?.operation !== OperationTypeNode.MUTATION) return !hasValue(data)
  const [first, ...others] = operation.selectionSet.selections
  return data == null && first?.kind === Kind.FIELD && others.length === 0
}

/** Whether there is anything but null at the ends of the data; an empty list counts. */
function hasValue(data: unknown): boolean {
  if (typeof data !== 'object' || data === null) return data != null
  const inside = Object.values(data)
  return inside.some(hasValue) || (Array.isArray(data) && data.length === 0)
}
