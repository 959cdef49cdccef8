/** Changes of schema.graphql that can break a client, or surprise one. */
import { type Change, diff } from '@graphql-inspector/core'
import { buildSchema } from 'graphql'

/**
 * A change that clients notice: what worked fails (breaking), or a response may hold what it never held (dangerous).
 */
export interface ClientChange {
  readonly level: 'breaking' | 'dangerous'
  readonly place: string
  readonly what: string
}

/** The changes from one text of the schema to another. */
export async function graphChanges(before: string, after: string): Promise<ClientChange[]> {
  const changes = await diff(buildSchema(before), buildSchema(after))
  return changes.flatMap((change): ClientChange[] => {
    const level = levelOf(change)
    return level ? [{ level, place: change.path ?? 'schema', what: change.message }] : []
  })
}

function levelOf(change: Change): ClientChange['level'] | null {
  if (needsMoreRights(change) || change.criticality.level === 'BREAKING') return 'breaking'
  return change.criticality.level === 'DANGEROUS' ? 'dangerous' : null
}

/** Whether viewers lose a type or field that they had: the comparison takes @access for a directive like any other. */
function needsMoreRights({ type, path = '', meta, criticality }: Change): boolean {
  if (type === 'DIRECTIVE_USAGE_ARGUMENT_ADDED') {
    return path.endsWith('.@access.role') && meta.oldArgumentValue !== null && meta.addedArgumentValue === 'ADMIN'
  }
  return /^DIRECTIVE_USAGE_\w+_ADDED$/.test(type) && path.endsWith('.@access') && criticality.level !== 'NON_BREAKING'
}
