/** Relay connections over keyset cursors: 25 by default, 100 at most, both ways (graph.connections-both-ways). */
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
import type { GraphTypes } from './graph-types.ts'
import { readPage } from './page-window.ts'

type MaybePromise<T> = T | Promise<T>

type Slice<T> = ReturnType<typeof connectionSlice<T>>

/** A list in an order whose key values make every item's place unique (the last one is an id). */
export interface ConnectionSource<T> {
  /** The kinds of the key's values; a cursor of other kinds is refused. */
  readonly order: readonly KeyKind[]
  readonly key: (item: T) => CursorKey
  /** Items in the order walked: the nearest to the start first, or to the end when `reverse`. */
  readonly fetch: (window: KeysetWindow) => MaybePromise<readonly T[]>
  /** Of all items without a window; called only when totalCount is selected. */
  readonly count: () => MaybePromise<number>
}

interface Edge<T> {
  readonly cursor: string
  readonly node: T
}

/** Its cursor is written when it is read: most queries of a page ask for the last one alone. */
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

/** A page whose items are fetched when one of the first three is read, at most once, and counted when the last is. */
export interface Page<T> {
  readonly nodes: MaybePromise<readonly T[]>
  readonly edges: MaybePromise<readonly Edge<T>[]>
  readonly pageInfo: MaybePromise<PageInfo>
  readonly totalCount: MaybePromise<number>
}

/** The arguments of every connection field. */
export const pageArgs = builder.args((t) => ({
  first: t.int({
    description: `How many items from the start, 0 to ${CONNECTION_MAX}; ${CONNECTION_DEFAULT} when neither \`first\` nor \`last\` is given.`,
    ...withReader((args: ConnectionArguments) => readPage(args)),
  }),
  after: t.string({ description: 'Only items after the one with this cursor.' }),
  last: t.int({ description: `How many items from the end, 0 to ${CONNECTION_MAX}; not together with \`first\`.` }),
  before: t.string({ description: 'Only items before the one with this cursor.' }),
}))

/** The page that the arguments ask for. Wrong arguments and cursors that this list did not hand out are bad requests. */
export function connection<T>(args: ConnectionArguments, source: ConnectionSource<T>): Page<T> {
  const { shown, after, before } = readPage(args, source.order)
  return new FetchedPage(args, shown, windowOf(after, before, shown), source)
}

function windowOf(after: CursorKey | null, before: CursorKey | null, { limit: shown, backward: reverse }: ConnectionWindow): KeysetWindow {
  // One more than is shown: it tells whether there is a further page.
  const limit = shown + 1
  const id = after || before ? JSON.stringify([after, before, limit, reverse]) : `${limit} ${reverse}`
  return { after, before, limit, reverse, id }
}

/** Classes, since an object literal's getters hold what they see for longer than a page lasts (context.ts). */
class FetchedPage<T> implements Page<T> {
  private fetched: MaybePromise<Slice<T>> | undefined

  constructor(
    private readonly args: ConnectionArguments,
    private readonly shown: ConnectionWindow,
    private readonly window: KeysetWindow,
    private readonly source: ConnectionSource<T>,
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

/** Goes on at once with what is there already: a promise for each level costs more than most levels do. */
function mapMaybePromise<T, Next>(value: MaybePromise<T>, next: (value: T) => Next): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

type Types = PothosSchemaTypes.ExtendDefaultTypes<GraphTypes>

/** The connection and edge types of a noun; made once per noun, with the noun's own right. Fields of the type answer `page(args, source)`. */
export function defineConnection<T>(node: ObjectRef<Types, T>, right: Right): ObjectRef<Types, Page<T>> {
  const connection = builder.connectionObject(
    {
      type: node,
      name: `${node.name}Connection`,
      description: `A page of a list of ${node.name}s.`,
      right,
      fields: (t) => ({
        nodes: t.field({
          type: [node],
          description: 'The items without their cursors.',
          resolve: (page) => (page as unknown as Page<T>).nodes as never,
        }),
        totalCount: t.field({
          type: 'Long',
          description: 'How many items the whole list has. Counted only when selected.',
          resolve: (page) => (page as unknown as Page<T>).totalCount,
        }),
      }),
    },
    {
      description: `A ${node.name} in a connection.`,
      right,
      nodeField: { description: `The ${node.name}.` },
    },
  )
  // The plugin wants the items at once or promised; a page is the latter, each member read only when it is selected.
  return connection as unknown as ObjectRef<Types, Page<T>>
}
