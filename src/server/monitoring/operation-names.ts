/**
 * Operation names as labels of metrics. Clients choose the names, and each is a time series, so only the first ones are
 * labels.
 */

/** The most names that are labels. */
export const OPERATION_NAMES_MAX = 100
/** Characters of a name that is a label. */
export const OPERATION_NAME_LENGTH_MAX = 100

/** Labels of requests without a name of their own. No GraphQL name has parentheses. */
const ANONYMOUS = '(anonymous)'
const OTHER = '(other)'
/** The label of a request that was refused before an operation ran: no token, no such path, an invalid document. */
export const NONE = '(none)'

/** The names that were seen first. */
export class OperationNames {
  private readonly known = new Set<string>()

  /** The label of a GraphQL operation; `name` is '' for an anonymous one, undefined where none ran. */
  labelOf(name: string | undefined): string {
    if (name === undefined) return NONE
    if (name === '') return ANONYMOUS
    if (this.known.has(name)) return name
    if (this.known.size >= OPERATION_NAMES_MAX || name.length > OPERATION_NAME_LENGTH_MAX) return OTHER
    this.known.add(name)
    return name
  }
}
