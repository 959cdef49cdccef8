/**
 * Frame nouns: a schema for tests of the GraphQL layer, with a public type, an admin type, and fields that fail in
 * every way.
 */
import type { GraphQLSchema } from 'graphql'
import { conflict, DomainError, notFound, Unavailable } from '../../src/domain/input/errors.ts'
import type { KeysetWindow } from '../../src/domain/input/page.ts'
import { builder } from '../../src/graphql/schema/builder.ts'
import { connection, defineConnection, pageArgs } from '../../src/graphql/schema/connection.ts'
import '../../src/graphql/schema/scalars.ts'
import { defineMutation } from '../../src/graphql/schema/define-mutation.ts'
import { implementNode } from '../../src/graphql/schema/node.ts'

export interface Thing {
  readonly id: string
  readonly rank: number
}

export const thingId = (rank: number): string => `00000000-0000-7000-8000-${String(rank).padStart(12, '0')}`
export const things: readonly Thing[] = Array.from({ length: 130 }, (_, rank) =>
  Object.freeze({ id: thingId(rank), rank }),
)
/** The fetches of the schema's fields, for tests that count them. */
export const fetched: { windows: KeysetWindow[]; counts: number; secrets: string[] } = {
  windows: [],
  counts: 0,
  secrets: [],
}
/** A cause that no response may contain. */
export const SECRET_CAUSE = 'password authentication failed for postgres://commerce:hunter2@db/commerce'

const OpenRef = builder.objectRef<Thing>('Open')
const SecretRef = builder.objectRef<Thing>('Secret')

implementNode(OpenRef, {
  description: 'A thing for everybody.',
  right: 'anyone',
  load: async (id) => things.find((thing) => thing.id === id) ?? null,
  fields: (t) => ({
    rank: t.expose('rank', { type: 'Long', description: 'Its rank.' }),
    secret: t.field({
      type: SecretRef,
      nullable: true,
      description: 'An edge to an admin type.',
      resolve: (thing) => thing,
    }),
    note: t.string({
      nullable: true,
      right: 'admin',
      description: 'A field for admins.',
      resolve: ({ rank }) => `note ${rank}`,
    }),
  }),
})

implementNode(SecretRef, {
  description: 'A thing for admins.',
  right: 'admin',
  load: async (id) => {
    fetched.secrets.push(id)
    return things.find((thing) => thing.id === id) ?? null
  },
  fields: (t) => ({ rank: t.expose('rank', { type: 'Long', description: 'Its rank.' }) }),
})

const EitherRef = builder.unionType('Either', {
  description: 'One or the other.',
  types: [OpenRef, SecretRef],
  resolveType: (thing) => ((thing as Thing).rank % 2 === 0 ? 'Open' : 'Secret'),
})

const OpenConnection = defineConnection(OpenRef, 'anyone')
const SecretConnection = defineConnection(SecretRef, 'admin')

function source() {
  return {
    order: ['integer', 'uuid'] as const,
    key: ({ rank, id }: Thing) => [rank, id],
    fetch: async (window: KeysetWindow) => {
      fetched.windows.push(window)
      const [after = -1, before = Number.MAX_SAFE_INTEGER] = [
        window.after?.[0] as number | undefined,
        window.before?.[0] as number | undefined,
      ]
      const between = things.filter(({ rank }) => rank > after && rank < before)
      return (window.reverse ? between.reverse() : between).slice(0, window.limit)
    },
    count: async () => {
      fetched.counts++
      return things.length
    },
  }
}

const failures: Readonly<Record<string, () => unknown>> = {
  boom: () => new Error(SECRET_CAUSE),
  unavailable: () => new Unavailable('the database is not available', { cause: new Error(SECRET_CAUSE) }),
  forbidden: () => new DomainError('forbidden'),
  unauthenticated: () => new DomainError('unauthenticated'),
  badRequest: () =>
    new DomainError('badRequest', [{ code: 'INVALID_FORMAT', path: ['id'], message: 'must be a UUID' }]),
  validation: () =>
    new DomainError('validation', [
      { code: 'TOO_SHORT', path: ['attributes', 'main_image'], message: 'must be 3 to 1024 characters' },
      { code: 'REQUIRED', path: ['attributes', 'price', { key: 'USD' }, 'amount'], message: 'must be given' },
    ]),
  notFound: () => notFound(['id'], 'No such thing'),
  conflict: () => conflict('PRICE_EXISTS', ['attributes', 'sku'], 'The price already exists'),
  stale: () => conflict('STALE', ['ifUpdatedAt'], 'the record has changed since', things[7]),
}

function fail(kind: string | null | undefined): void {
  const failure = kind == null ? undefined : failures[kind]
  if (failure) throw failure()
}

builder.queryFields((t) => ({
  hello: t.string({ right: 'anyone', description: 'A greeting.', resolve: () => 'world' }),
  open: t.field({ type: OpenRef, right: 'anyone', description: 'The first.', resolve: () => things[0] as Thing }),
  secret: t.field({
    type: SecretRef,
    nullable: true,
    right: 'admin',
    description: 'The first.',
    resolve: () => things[0] as Thing,
  }),
  eithers: t.field({
    type: [EitherRef],
    nullable: true,
    right: 'anyone',
    description: 'Things of two types.',
    args: { ranks: t.arg.intList({ required: true, description: 'Which.' }) },
    resolve: async (_, { ranks }) => ranks.map((rank) => things[rank] as Thing),
  }),
  opens: t.field({
    type: OpenConnection,
    right: 'anyone',
    description: 'All.',
    args: pageArgs,
    resolve: (_, args) => connection(args, source()),
  }),
  secrets: t.field({
    type: SecretConnection,
    nullable: true,
    right: 'admin',
    description: 'All.',
    args: pageArgs,
    resolve: (_, args) => connection(args, source()),
  }),
  fails: t.string({
    nullable: true,
    right: 'anyone',
    description: 'Fails.',
    args: { kind: t.arg.string({ required: true, description: 'How.' }) },
    resolve: async (_, { kind }) => {
      fail(kind)
      return null
    },
  }),
  failsTwice: t.field({
    type: ['String'],
    nullable: { list: true, items: true },
    right: 'anyone',
    description: 'One cause, two places.',
    resolve: () => {
      const cause = new Error(SECRET_CAUSE)
      return [cause, 'fine', cause] as string[]
    },
  }),
  missing: t.string({ right: 'anyone', description: 'Breaks its own promise.', resolve: () => null as never }),
  echo: t.field({
    type: 'String',
    right: 'anyone',
    description: 'What arrived.',
    args: {
      long: t.arg({ type: 'Long', description: 'A long.' }),
      at: t.arg({ type: 'DateTime', description: 'An instant.' }),
      text: t.arg.string({ defaultValue: 'default', description: 'A text.' }),
      list: t.arg.intList({ description: 'Numbers.' }),
    },
    resolve: (_, args) => JSON.stringify(Object.fromEntries(Object.entries(args).sort())),
  }),
  instant: t.field({
    type: 'DateTime',
    right: 'anyone',
    description: 'The instant of the request.',
    resolve: (_, __, ctx) => ctx.now,
  }),
  locale: t.string({
    nullable: true,
    right: 'anyone',
    description: 'From the header.',
    resolve: (_, __, ctx) => ctx.shopperHeaders.acceptLanguage,
  }),
}))

/** The arguments of the last call of `poke`. */
export const receivedArguments: { input?: unknown; options?: unknown } = {}

defineMutation('poke', {
  description: 'Does something to a thing.',
  right: 'admin',
  guard: 'ifUpdatedAt',
  input: (t) => ({
    kind: t.string({ description: 'How to fail.' }),
    name: t.string({ description: 'Absent, null and a value are three things.' }),
  }),
  result: { name: 'secret', type: SecretRef, description: 'The thing.' },
  run: async (_, { input }, options) => {
    Object.assign(receivedArguments, { input, options })
    fail(input.kind)
    return things[1] as Thing
  },
})

defineMutation('make', {
  description: 'Makes a thing.',
  right: 'anyone',
  guard: 'idempotencyKey',
  input: (t) => ({ name: t.string({ required: true, description: 'Its name.' }) }),
  result: { name: 'open', type: OpenRef, description: 'The thing.' },
  run: async (_, { input }, options) => {
    Object.assign(receivedArguments, { input, options })
    return things[2] as Thing
  },
})

let built: GraphQLSchema | undefined

/** The schema. */
export function frameSchema(): GraphQLSchema {
  built ??= builder.toSchema()
  return built
}
