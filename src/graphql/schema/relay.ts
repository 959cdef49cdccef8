/**
 * How plugin-relay is set up: its `node` and `nodes` with this server's global ids and rights, its connections with this server's words.
 * Nouns come in through implementNode (node.ts) and defineConnection (connection.ts).
 */
import type { RelayPluginOptions } from '@pothos/plugin-relay'
import { DomainError, type Path } from '../../domain/input/errors.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import type { GraphTypes } from './graph-types.ts'
import { globalId, type IdForm, parseGlobalId } from './ids.ts'
import { forbidden, mayReach } from './rights.ts'

/** How many nodes one call of `nodes` may name. */
export const NODES_MAX = 100

/** A noun that can be had by its global id alone. */
interface Kind {
  readonly right: Right
  readonly isId: IdForm
  /** By raw id. */
  readonly load: (id: string, ctx: Context) => Promise<object | null>
}

const kinds = new Map<string, Kind>()
/** Which type an object that `node` loaded is of; beside the object, which may be frozen or shared, so that the plugin's brand can't go on it. */
const typeNames = new WeakMap<object, string>()

export function registerNodeType(type: string, kind: Kind): void {
  kinds.set(type, kind)
}

/** The names of all types that are nodes. */
export function nodeTypeNames(): string[] {
  return [...kinds.keys()]
}

/** Remembers the type of what was loaded as a thing of it. */
export function withTypeName<T extends object>(type: string, entity: T | null): T | null {
  if (entity) typeNames.set(entity, type)
  return entity
}

export function typeNameOf(entity: unknown): string | undefined {
  return typeNames.get(entity as object)
}

interface Named {
  readonly typename: string
  readonly id: string
}

/**
 * What a global id names, null when there is no such thing. Rights come before anything loads: a shopper is not told whether an admin's
 * thing exists. Rejects with badRequest for what is no id of a node. `field` is the root field that was asked, `path` the id in its arguments.
 */
export async function loadNode({ typename, id }: Named, field: string, path: Path, ctx: Context): Promise<object | null> {
  const kind = kinds.get(typename)
  if (!kind?.isId(id)) throw new DomainError('badRequest', [{ code: 'INVALID_FORMAT', path, message: 'must be a global id' }])
  if (kind.right !== 'anyone' && !mayReach(kind.right, ctx)) throw forbidden(`${field} of a ${typename}`, kind.right)
  return withTypeName(typename, await kind.load(id.toLowerCase(), ctx))
}

/** For lists in which one place that fails must not cost the others: GraphQL answers null there, and the error for that place. */
export function settleToError(loading: Promise<object | null>): Promise<object | null> {
  return loading.catch((error: Error) => error)
}

/** With `defaultFieldNullability: false`, lists, edges and nodes of connections are never null. */
export const relayOptions: RelayPluginOptions<PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>> = {
  encodeGlobalID: (type, id) => globalId(type, String(id)),
  // What can't be read gets a type that there is not, since only the field knows the path to name.
  decodeGlobalID: (text) => {
    const { type: typename = '', id = '' } = parseGlobalId(text) ?? {}
    return { typename, id }
  },
  brandLoadedObjects: false,
  idFieldOptions: { description: 'The global id.' },
  nodeTypeOptions: {
    description: 'Anything that has a global id.',
    resolveType: typeNameOf,
  },
  nodeQueryOptions: {
    right: 'anyone',
    description: 'Anything by its global id; null when there is no such thing.',
    args: { id: { description: 'A global id.' } },
    resolve: (_, { id }, ctx) => loadNode(id, 'Query.node', ['id'], ctx),
  },
  nodesQueryOptions: {
    right: 'anyone',
    description:
      'Several things by their global ids, in the order of the ids; null where there is no such thing, or where the id is refused with an error.',
    args: { ids: { description: `Global ids, at most ${NODES_MAX}.` } },
    resolve: (_, { ids }, ctx) => {
      if (ids.length > NODES_MAX)
        throw new DomainError('badRequest', [{ code: 'TOO_MANY', path: ['ids'], message: `must have at most ${NODES_MAX} entries` }])
      return Promise.all(ids.map((id, index) => settleToError(loadNode(id, 'Query.nodes', ['ids', index], ctx))))
    },
  },
  pageInfoTypeOptions: { description: 'Where a page of a connection stands in the whole.', right: 'anyone' },
  hasNextPageFieldOptions: { description: 'Whether items follow; when paging backward, whether `before` was given.' },
  hasPreviousPageFieldOptions: { description: 'Whether items precede; when paging forward, whether `after` was given.' },
  startCursorFieldOptions: { description: 'The cursor of the first item of the page.' },
  endCursorFieldOptions: { description: 'The cursor of the last item of the page.' },
  pageInfoFieldOptions: { description: 'Where the page stands.' },
  edgesFieldOptions: { description: 'The items with their cursors.' },
  cursorFieldOptions: { description: 'The place of the item in this list, for `after` and `before`.' },
}
