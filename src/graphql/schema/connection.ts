/**
 * Relay connections with keyset cursors: forward and backward, 25 items by default, at most 100
 * (graph.connections-both-ways).
 */
import type { ObjectRef } from '@pothos/core'
import { DomainError, type Violation } from '../../domain/input/errors.ts'
import {
  CONNECTION_DEFAULT,
  CONNECTION_MAX,
  type ConnectionArguments,
  type ConnectionWindow,
  connectionSlice,
  type KeysetWindow,
  readConnection,
} from '../../domain/input/page.ts'
import type { Right } from '../../operations/operation.ts'
import { withReader } from './argument-reader.ts'
import { builder } from './builder.ts'
import { type CursorKey, type KeyKind, readCursor, writeCursor } from './cursor.ts'
import type { Types } from './graph-types.ts'

type Slice<T> = ReturnType<typeof connectionSlice<T>>

/** The list behind a connection. Its order is total: the last key value of an item is an id, so its key is unique. */
export interface ConnectionSource<T> {
  /** The kinds of the key's values. A cursor with other kinds is refused. */
  readonly order: readonly KeyKind[]
  readonly key: (item: T) => CursorKey
  /** The window's items: the first item first, or the last item first when `reverse`. */
  readonly fetch: (window: KeysetWindow) => Promise<readonly T[]>
  /** The length of the whole list. Called only when totalCount is selected. */
  readonly count: () => Promise<number>
}

interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A page of a connection, fetched lazily: nodes, edges and pageInfo share one fetch, and totalCount runs the count. */
export interface Page<T> {
  readonly nodes: Promise<readonly T[]>
  readonly edges: Promise<readonly Edge<T>[]>
  readonly pageInfo: Promise<PageInfo>
  readonly totalCount: Promise<number>
  /** Its ConnectionSource, for further fields of the connection. */
  readonly source: unknown
}

export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many items from the start, 0 to ${CONNECTION_MAX}; ${CONNECTION_DEFAULT} when neither \`first\` nor \`last\` is given.`,
    ...withReader((args: ConnectionArguments) => readPage(args)),
  }),
  after: t.string({
    description: 'Only items after the one with this cursor, such as `pageInfo.endCursor` of the page before.',
  }),
  last: t.int({ description: `How many items from the end, 0 to ${CONNECTION_MAX}; not together with \`first\`.` }),
  before: t.string({
    description: 'Only items before the one with this cursor, such as `pageInfo.startCursor` of the page after.',
  }),
}))

/**
 * Reads the arguments of a page. Throws DomainError (badRequest) when they are invalid. Without `order` a cursor of any
 * list is valid.
 */
export function readPage(args: ConnectionArguments, order?: readonly KeyKind[]) {
  const { value: shown, violations } = readConnection(args)
  const after = readBound('after', args.after, order, violations)
  const before = readBound('before', args.before, order, violations)
  if (violations.length > 0) throw new DomainError('badRequest', violations)
  return { shown, after, before }
}

function readBound(
  name: string,
  cursor: string | null | undefined,
  order: readonly KeyKind[] | undefined,
  violations: Violation[],
): CursorKey | null {
  if (cursor == null) return null
  const key = readCursor(cursor, order)
  if (!key) violations.push({ code: 'INVALID_FORMAT', path: [name], message: 'must be a cursor of this list' })
  return key ?? null
}

/**
 * The page that the arguments request. Throws DomainError (badRequest) for invalid arguments and for cursors of other
 * lists.
 */
export function connection<T>(args: ConnectionArguments, source: ConnectionSource<T>): Page<T> {
  const { shown, after, before } = readPage(args, source.order)
  return new FetchedPage(args, shown, windowOf(after, before, shown, args.offset ?? 0), source)
}

function windowOf(
  after: CursorKey | null,
  before: CursorKey | null,
  { limit: shown, backward: reverse }: ConnectionWindow,
  offset: number,
): KeysetWindow {
  // One item more than the page has, to find out whether another page follows.
  const limit = shown + 1
  const id = after || before ? JSON.stringify([after, before, limit, reverse]) : `${limit} ${reverse}`
  return { after, before, limit, reverse, offset, id }
}

/** A class, since the getters of an object literal would keep its whole closure in memory. */
class FetchedPage<T> implements Page<T> {
  private fetched: Promise<Slice<T>> | undefined

  constructor(
    private readonly args: ConnectionArguments,
    private readonly shown: ConnectionWindow,
    private readonly window: KeysetWindow,
    readonly source: ConnectionSource<T>,
  ) {}

  get nodes(): Promise<readonly T[]> {
    return this.slice().then(({ rows }) => rows)
  }

  get edges(): Promise<readonly Edge<T>[]> {
    return this.slice().then(({ rows }) => rows.map((node) => ({ node, cursor: this.cursorOf(node) })))
  }

  get pageInfo(): Promise<PageInfo> {
    return this.slice().then(({ rows, hasNextPage, hasPreviousPage }) => {
      const [first, last] = [rows[0], rows.at(-1)]
      const startCursor = first === undefined ? null : this.cursorOf(first)
      const endCursor = last === undefined ? null : this.cursorOf(last)
      return { hasNextPage, hasPreviousPage, startCursor, endCursor }
    })
  }

  get totalCount(): Promise<number> {
    return this.source.count()
  }

  private slice(): Promise<Slice<T>> {
    this.fetched ??= this.fetch()
    return this.fetched
  }

  private async fetch(): Promise<Slice<T>> {
    const { shown, args, source, window } = this
    return connectionSlice(shown.limit === 0 ? [] : await source.fetch(window), shown, args)
  }

  private cursorOf(node: T): string {
    return writeCursor(this.source.key(node))
  }
}

/**
 * Defines the connection and edge types of an object type, with its right; call it once per type. Its fields return
 * `connection(...)`.
 */
export function defineConnection<T>(node: ObjectRef<Types, T>, right: Right): ObjectRef<Types, Page<T>> {
  const connection = builder.connectionObject(
    {
      type: node,
      name: `${node.name}Connection`,
      description: `A page of a list of the type ${node.name}.`,
      right,
      fields: (t) => ({
        nodes: t.field({
          type: [node],
          description: 'The items without their cursors.',
          resolve: (page) => (page as unknown as Page<T>).nodes as never,
        }),
        totalCount: t.field({
          type: 'Int',
          description: 'How many items the whole list has. Counted only when selected.',
          resolve: (page) => (page as unknown as Page<T>).totalCount,
        }),
      }),
    },
    {
      description: `An item of the type ${node.name} with its cursor.`,
      right,
      nodeField: { description: 'The item.' },
    },
  )
  // The plugin's type wants all members at once, or all promised together. In a page each member is fetched only when
  // it is selected.
  return connection as unknown as ObjectRef<Types, Page<T>>
}
