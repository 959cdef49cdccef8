/** Record commands: those that create, change and delete one record which no rule relates to others. */
import { notFound } from '../domain/input/errors.ts'
import { isUuid } from '../domain/input/formats.ts'
import type { ReadResult } from '../domain/input/input-reader.ts'
import type { StoredRecord } from '../domain/input/patch.ts'
import type { NewRecord } from '../domain/input/record.ts'
import type { LoggedTable } from '../persistence/database/change-log.ts'
import { newId } from '../persistence/database/id.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import {
  deleteRecord,
  insertRecord,
  lockRecord,
  type RecordSource,
  updateRecord,
  type WrittenTable,
} from '../persistence/database/table.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { ReferencedKind } from '../persistence/referencing-records.ts'
import { type Command, type CommandDefinition, command, readNothing } from './operation.ts'
import { assertNotReferenced } from './referencing-records.ts'

interface RecordCreate<Input, Patch, Target, Item> extends Pick<CommandDefinition<Input, Patch, Target, Item>, 'name' | 'load'> {
  readonly table: WrittenTable<Item>
  readonly read: (data: unknown) => ReadResult<NewRecord<Patch>>
  /** The new record; `now` is epoch milliseconds. */
  readonly create: (patch: Patch, id: string, now: number, target: Target) => Item
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
    run: async (tx, { id, patch }, target, { now }) => {
      const created = create(patch, id ?? newId(now), now, target)
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
  readonly apply: (stored: Item, value: Value, now: number) => Item
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
      const updated = apply(stored, value, ctx.now)
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
  /** IN_USE while records refer to one of this kind; absent: what refers to it does not keep it. */
  readonly inUseAs?: ReferencedKind
}

/** A command that deletes a record under its row lock and returns it. */
export function recordDelete<Input, Item extends { readonly id: string }>({ table, inUseAs, ...definition }: RecordDelete<Input, Item>) {
  return command<Input, undefined, Item, Item>({
    ...definition,
    right: 'admin',
    read: readNothing,
    run: async (tx, _, stored) => {
      if (inUseAs) await assertNotReferenced(tx, inUseAs, stored.id)
      await deleteRecord(tx, table, stored)
      return stored
    },
  })
}

/** Locks a record and reads it; throws notFound at `id` when there is none. One statement. */
export async function lockOrThrow<Row, Item>(
  tx: Transaction,
  source: RecordSource<Row, Item>,
  id: string,
  noun: string,
  strength?: LockStrength,
): Promise<Item> {
  const record = isUuid(id) ? await lockRecord(tx, source, id, strength) : null
  if (!record) throw notFound(['id'], `No such ${noun}`)
  return record
}
