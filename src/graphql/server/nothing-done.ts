/** Operations of which nothing was done, since the database or this server was not available: their response is 503 as a whole. */
import { type DocumentNode, type ExecutionResult, getOperationAST, Kind, OperationTypeNode } from 'graphql'

/**
 * Whether an operation only failed with SERVICE_UNAVAILABLE and has no value at all, so that it may be sent again
 * (http.lost-database-is-unavailable). Of several mutations one may have been done, whatever the result has.
 */
export function isNothingDone({ data, errors = [] }: ExecutionResult, document: DocumentNode, operationName?: string | null): boolean {
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
