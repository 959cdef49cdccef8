/**
 * Relay plugin options: `node` and `nodes` with this server's global ids and rights, and the descriptions of connection
 * types. Types register through implementNode (node.ts) and defineConnection (connection.ts).
 */
import type { RelayPluginOptions } from '@pothos/plugin-relay'
import { badRequest, type Path } from '../../domain/input/errors.ts'
import type { Right } from '../../operations/operation.ts'
import type { Context } from '../../request/context.ts'
import { assertCount } from './argument-reader.ts'
import type { Types } from './graph-types.ts'
import { globalId, type IdForm, parseGlobalId, withArticle } from './ids.ts'
import { forbidden, mayReach } from './rights.ts'

/** The most ids in one call of `nodes`. */
export const NODES_MAX = 100

/** A type that can be fetched by its global id alone. */
interface NodeType {
  readonly right: Right
  readonly isId: IdForm
  /** By raw id. */
  readonly load: (id: string, ctx: Context) => Promise<object | null>
}

const nodeTypes = new Map<string, NodeType>()
/**
 * The type of each object that `node` loaded. The plugin would make it a property of the object, but the object may be
 * frozen.
 */
const typeNames = new WeakMap<object, string>()

/** Registers the type of that name for `node`, `nodes` and `_entities`. */
export function registerNodeType(type: string, nodeType: NodeType): void {
  nodeTypes.set(type, nodeType)
}

/** The names of all types that are nodes. */
export function nodeTypeNames(): string[] {
  return [...nodeTypes.keys()]
}

/** Records the type of the entity for typeNameOf, and returns the entity. */
export function withTypeName<T extends object>(type: string, entity: T | null): T | null {
  if (entity) typeNames.set(entity, type)
  return entity
}

/** The type as which loadNode loaded an entity, for resolveType; undefined for other entities. */
export function typeNameOf(entity: unknown): string | undefined {
  return typeNames.get(entity as object)
}

interface Named {
  readonly typename: string
  readonly id: string
}

/**
 * Loads a node by its global id; null when it does not exist. The right is checked before anything loads, so a shopper
 * does not learn whether a record for administrators exists. Rejects with forbidden, and with badRequest at `path` for
 * a text that is not the id of a node. `field` is the root field, for the message.
 */
export async function loadNode(
  { typename, id }: Named,
  field: string,
  path: Path,
  ctx: Context,
): Promise<object | null> {
  const nodeType = nodeTypes.get(typename)
  if (!nodeType?.isId(id)) throw badRequest('INVALID_FORMAT', path, 'must be a global id')
  if (nodeType.right !== 'anyone' && !mayReach(nodeType.right, ctx))
    throw forbidden(`${field} of ${withArticle(typename)}`, nodeType.right)
  return withTypeName(typename, await nodeType.load(id.toLowerCase(), ctx))
}

/**
 * Resolves to the error instead of rejecting. In a list GraphQL turns an Error into null and an error, and keeps the
 * other items.
 */
export function settleToError(loading: Promise<object | null>): Promise<object | null> {
  return loading.catch((error: Error) => error)
}

/**
 * Options of @pothos/plugin-relay. Lists, edges and nodes are not nullable, by the builder's defaultFieldNullability.
 */
export const relayOptions: RelayPluginOptions<Types> = {
  encodeGlobalID: (type, id) => globalId(type, String(id)),
  // An invalid id gets an unknown type name, since only loadNode knows the path for the error.
  decodeGlobalID: (text) => {
    const { type: typename = '', id = '' } = parseGlobalId(text) ?? {}
    return { typename, id }
  },
  brandLoadedObjects: false,
  idFieldOptions: { description: 'The global id.' },
  nodeTypeOptions: { description: 'Anything that has a global id.', resolveType: typeNameOf },
  nodeQueryOptions: {
    right: 'anyone',
    description: 'Anything by its global id; null when there is no such thing.',
    args: {
      id: { description: 'A global id, such as `Q2F0YWxvZzpjMGZmZWUwMC0wMDA5LTQwMDAtODAwMC0wMDAwMDAwMDAwMDE`.' },
    },
    resolve: (_, { id }, ctx) => loadNode(id, 'Query.node', ['id'], ctx),
  },
  nodesQueryOptions: {
    right: 'anyone',
    description:
      'Several things by their global ids, in the order of the ids; null where there is no such thing, or where the id is refused with an error.',
    args: {
      ids: { description: `Global ids, at most ${NODES_MAX}, such as those of the cards that a shopper saw last.` },
    },
    resolve: (_, { ids }, ctx) => {
      assertCount(ids, NODES_MAX, ['ids'])
      return Promise.all(ids.map((id, index) => settleToError(loadNode(id, 'Query.nodes', ['ids', index], ctx))))
    },
  },
  pageInfoTypeOptions: { description: 'Where a page of a connection stands in the whole.', right: 'anyone' },
  hasNextPageFieldOptions: { description: 'Whether items follow; when paging backward, whether `before` was given.' },
  hasPreviousPageFieldOptions: {
    description: 'Whether items precede; when paging forward, whether `after` was given.',
  },
  startCursorFieldOptions: { description: 'The cursor of the first item of the page.' },
  endCursorFieldOptions: { description: 'The cursor of the last item of the page.' },
  pageInfoFieldOptions: { description: 'Where the page stands.' },
  edgesFieldOptions: { description: 'The items with their cursors.' },
  cursorFieldOptions: { description: 'The position of the item in this list, for `after` and `before`.' },
}
