/** Record commands: those that create, change and delete one record. */
import { assertValid, notFound } from '../domain/input/errors.ts'
import { isUuid } from '../domain/input/formats.ts'
import type { StoredRecord } from '../domain/input/patch.ts'
import type { ReadResult } from '../domain/input/reading.ts'
import type { NewRecord } from '../domain/input/record.ts'
import { makeRecord, patchRecord, recordViolations } from '../domain/input/record-change.ts'
import type {
  GivenPatch,
  NewMembers,
  RecordDefinition,
  RecordOf,
  RecordPatch,
} from '../domain/input/record-definition.ts'
import type { Members, ValueMember } from '../domain/input/record-members.ts'
import { readNew, readUpdate } from '../domain/input/record-reader.ts'
import type { LoggedTable } from '../persistence/database/change-log.ts'
import { newId } from '../persistence/database/id.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import {
  deleteRecord,
  insertRecord,
  lockRecord,
  updateRecord,
  type WholeSource,
  type WrittenTable,
} from '../persistence/database/table.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { ReferencedKind } from '../persistence/referencing-records.ts'
import type { Context } from '../request/context.ts'
import { type Command, type CommandDefinition, command, readNothing } from './operation.ts'
import { resolveLinks } from './references.ts'
import { assertNotReferenced } from './referencing-records.ts'

interface RecordCreate<Input, Patch, Target, Item>
  extends Pick<CommandDefinition<Input, Patch, Target, Item>, 'name' | 'load'> {
  readonly table: WrittenTable<Item>
  readonly read: (data: unknown) => ReadResult<NewRecord<Patch>>
  /** The new record; `now` is epoch milliseconds. */
  readonly create: (
    patch: Patch,
    id: string,
    now: number,
    target: Target,
    tx: Transaction,
    ctx: Context,
  ) => Item | Promise<Item>
}

/** A command that creates a record, with `data.id` if given. */
export function recordCreate<Input extends { readonly data: unknown }, Patch, Target, Item extends StoredRecord>({
  table,
  read,
  create,
  ...definition
}: RecordCreate<Input, Patch, Target, Item>): Command<Input, Item> {
  return command<Input, NewRecord<Patch>, Target, Item>({
    ...definition,
    right: 'admin',
    read: ({ data }) => read(data),
    run: async (tx, { id, patch }, target, ctx) => {
      const created = await create(patch, id ?? newId(ctx.now), ctx.now, target, tx, ctx)
      await insertRecord(tx, table, created)
      return created
    },
  })
}

interface RecordUpdate<Input, Value, Item> extends Pick<CommandDefinition<Input, Value, Item, Item>, 'name' | 'read'> {
  readonly table: WrittenTable<Item>
  /** Locks the record and reads it; throws notFound when there is none. */
  readonly load: (tx: Transaction, input: Input) => Promise<Item>
  /** The changed record; `stored` itself when nothing changes. `now` is epoch milliseconds. */
  readonly apply: (stored: Item, value: Value, now: number, tx: Transaction, ctx: Context) => Item | Promise<Item>
}

/** A command that changes a record under its row lock. Two statements, one when nothing changes. */
export function recordUpdate<Input, Value, Item extends StoredRecord>({
  table,
  apply,
  ...definition
}: RecordUpdate<Input, Value, Item>): Command<Input, Item> {
  return command<Input, Value, Item, Item>({
    ...definition,
    right: 'admin',
    run: async (tx, value, stored, ctx) => {
      const updated = await apply(stored, value, ctx.now, tx, ctx)
      if (updated !== stored) await updateRecord(tx, table, stored, updated)
      return updated
    },
  })
}

interface RecordDelete<Input, Item> {
  readonly name: string
  readonly table: LoggedTable<Item>
  /** Locks the record and reads it; throws notFound when there is none. */
  readonly load: (tx: Transaction, input: Input) => Promise<Item>
  /** Its kind: records that refer to it cause IN_USE; absent: references don't prevent the deletion. */
  readonly inUseAs?: ReferencedKind
  /** Deletes the record with what belongs to it; absent: its row. */
  readonly remove?: (tx: Transaction, stored: Item) => Promise<void>
}

/** A command that deletes a record under its row lock and returns it. */
export function recordDelete<Input, Item extends { readonly id: string }>({
  table,
  inUseAs,
  remove = (tx, stored) => deleteRecord(tx, table, stored),
  ...definition
}: RecordDelete<Input, Item>) {
  return command<Input, undefined, Item, Item>({
    ...definition,
    right: 'admin',
    read: readNothing,
    run: async (tx, _, stored) => {
      if (inUseAs) await assertNotReferenced(tx, inUseAs, stored.id)
      await remove(tx, stored)
      return stored
    },
  })
}

/** The members whose patch has another form than their read value, except links, which their definition resolves. */
type OpenNames<M extends Members> = {
  [K in keyof M]: M[K] extends ValueMember<infer _, infer Patch, infer __, infer Given>
    ? Given extends Patch
      ? never
      : K
    : never
}[keyof M]

interface Completion<M extends Members> {
  /** Makes the patch of these members from what the transaction reads and locks. */
  readonly complete: (tx: Transaction, given: GivenPatch<M>) => Promise<Pick<RecordPatch<M>, OpenNames<M>>>
}

interface RecordCommands<M extends Members, Item> {
  readonly record: RecordDefinition<M>
  readonly table: WholeSource<never, Item> & WrittenTable<Item>
  /** What messages call it. */
  readonly noun: string
  readonly inUseAs?: ReferencedKind
  /** The lock of an update; absent: UPDATE. */
  readonly updateLock?: LockStrength
  /** Deletes a record with what belongs to it; absent: its row. */
  readonly remove?: (tx: Transaction, stored: Item) => Promise<void>
}

/** The commands that create, change and delete a defined record: `createPlan` and the others, for `Plan`. */
export function recordCommands<M extends Members>(
  name: string,
  options: RecordCommands<M, RecordOf<M>> & ([OpenNames<M>] extends [never] ? unknown : Completion<M>),
) {
  const { record, table, noun, inUseAs, updateLock, remove } = options
  const { complete } = options as Partial<Completion<M>>
  const patchOf = async (tx: Transaction, given: GivenPatch<M>) => {
    const resolved = await resolveLinks(tx, record, given)
    return { ...resolved, ...(await complete?.(tx, given)) }
  }
  const valid = (item: RecordOf<M>) => {
    assertValid(recordViolations(record, item))
    return item
  }
  return {
    create: recordCreate({
      name: `create${name}`,
      table,
      read: (data) => readNew(record, data),
      create: async (given, id, now, _, tx) =>
        valid(makeRecord(record, (await patchOf(tx, given)) as NewMembers<M>, id, now)),
    }),
    update: recordUpdate({
      name: `update${name}`,
      table,
      load: (tx, { id }: { readonly id: string; readonly data: unknown }) =>
        lockOrThrow(tx, table, id, noun, updateLock),
      read: ({ id, data }, _, stored) => readUpdate(record, data, id, stored),
      apply: async (stored, given, now, tx) =>
        valid(patchRecord(record, stored, (await patchOf(tx, given)) as RecordPatch<M>, now)),
    }),
    remove: recordDelete({
      name: `delete${name}`,
      table,
      load: (tx, { id }: { readonly id: string }) => lockOrThrow(tx, table, id, noun),
      ...(inUseAs && { inUseAs }),
      ...(remove && { remove }),
    }),
  }
}

/** Locks a record and reads it; throws notFound at `id` when there is none. One statement. */
export async function lockOrThrow<Row, Item>(
  tx: Transaction,
  source: WholeSource<Row, Item>,
  id: string,
  noun: string,
  strength?: LockStrength,
): Promise<Item> {
  const record = isUuid(id) ? await lockRecord(tx, source, id, strength) : null
  if (!record) throw notFound(['id'], `No such ${noun}`)
  return record
}
