/** Relay connections with keyset cursors: forward and backward, 25 items by default, at most 100 (graph.connections-both-ways). */
import type { ObjectRef } from '@pothos/core'
import {
  CONNECTION_DEFAULT,
  CONNECTION_MAX,
  type ConnectionArguments,
  type ConnectionWindow,
  connectionSlice,
  type KeysetWindow,
} from '../../domain/input/page.ts'
import type { Right } from '../../operations/operation.ts'
import { withReader } from './argument-reader.ts'
import { builder } from './builder.ts'
import { type CursorKey, type KeyKind, writeCursor } from './cursor.ts'
import type { Types } from './graph-types.ts'
import { readPage } from './page-window.ts'

/** A value that may be there at once. */
export type MaybePromise<T> = T | Promise<T>

type Slice<T> = ReturnType<typeof connectionSlice<T>>

/** The list behind a connection. Its order is total: the key values of an item are unique, since the last one is an id. */
export interface ConnectionSource<T> {
  /** The kinds of the key's values; a cursor of other kinds is refused. */
  readonly order: readonly KeyKind[]
  readonly key: (item: T) => CursorKey
  /** The window's items, first items first, or last items first when `reverse`. */
  readonly fetch: (window: KeysetWindow) => MaybePromise<readonly T[]>
  /** The length of the whole list; called only when totalCount is selected. */
  readonly count: () => MaybePromise<number>
}

interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

/** An edge that encodes its cursor lazily, since most queries read only the last cursor of a page (endCursor). */
class KeyedEdge<T> implements Edge<T> {
  constructor(
    readonly node: T,
    private readonly key: ConnectionSource<T>['key'],
  ) {}

  get cursor(): string {
    return writeCursor(this.key(this.node))
  }
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** A page of a connection, fetched lazily: nodes, edges and pageInfo share one fetch, and totalCount runs the count. */
export interface Page<T> {
  readonly nodes: MaybePromise<readonly T[]>
  readonly edges: MaybePromise<readonly Edge<T>[]>
  readonly pageInfo: MaybePromise<PageInfo>
  readonly totalCount: MaybePromise<number>
  /** Its ConnectionSource, for further fields of the connection. */
  readonly source: unknown
}

/** The arguments of every connection field. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many items from the start, 0 to ${CONNECTION_MAX}; ${CONNECTION_DEFAULT} when neither \`first\` nor \`last\` is given.`,
    ...withReader((args: ConnectionArguments) => readPage(args)),
  }),
  after: t.string({ description: 'Only items after the one with this cursor, such as `pageInfo.endCursor` of the page before.' }),
  last: t.int({ description: `How many items from the end, 0 to ${CONNECTION_MAX}; not together with \`first\`.` }),
  before: t.string({ description: 'Only items before the one with this cursor, such as `pageInfo.startCursor` of the page after.' }),
}))

/** The page that the arguments request. Throws DomainError (badRequest) for invalid arguments and for cursors of other lists. */
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
  private fetched: MaybePromise<Slice<T>> | undefined

  constructor(
    private readonly args: ConnectionArguments,
    private readonly shown: ConnectionWindow,
    private readonly window: KeysetWindow,
    readonly source: ConnectionSource<T>,
  ) {}

  get nodes(): MaybePromise<readonly T[]> {
    return mapMaybePromise(this.slice(), ({ rows }) => rows)
  }

  get edges(): MaybePromise<readonly Edge<T>[]> {
    return mapMaybePromise(this.slice(), ({ rows }) => rows.map((node) => new KeyedEdge(node, this.source.key)))
  }

  get pageInfo(): MaybePromise<PageInfo> {
    return mapMaybePromise(this.slice(), (slice) => new SliceInfo(slice, this.source.key))
  }

  get totalCount(): MaybePromise<number> {
    return this.source.count()
  }

  private slice(): MaybePromise<Slice<T>> {
    const { shown, args, source, window } = this
    this.fetched ??= mapMaybePromise(shown.limit === 0 ? [] : source.fetch(window), (rows) => connectionSlice(rows, shown, args))
    return this.fetched
  }
}

class SliceInfo<T> implements PageInfo {
  constructor(
    private readonly slice: Slice<T>,
    private readonly key: ConnectionSource<T>['key'],
  ) {}

  get hasNextPage(): boolean {
    return this.slice.hasNextPage
  }
  get hasPreviousPage(): boolean {
    return this.slice.hasPreviousPage
  }
  get startCursor(): string | null {
    return this.cursorOf(this.slice.rows[0])
  }
  get endCursor(): string | null {
    return this.cursorOf(this.slice.rows.at(-1))
  }

  private cursorOf(node: T | undefined): string | null {
    return node === undefined ? null : writeCursor(this.key(node))
  }
}

/** Maps a value or a promise. Values are mapped synchronously, since a promise costs more than most of the mapping. */
function mapMaybePromise<T, Next>(value: MaybePromise<T>, next: (value: T) => Next): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** Defines the connection and edge types of an object type, with its right; call it once per type. Its fields return `connection(...)`. */
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
  // The plugin's type wants all members at once or promised together; in a page each member is fetched only when it is selected.
  return connection as unknown as ObjectRef<Types, Page<T>>
}
