/** Record updates: the command that changes one record which no rule relates to others. */
import { notFound, type Violation } from '../domain/input/errors.ts'
import { isUuid } from '../domain/input/formats.ts'
import type { StoredRecord } from '../domain/input/patch.ts'
import type { LockStrength } from '../persistence/database/row-lock.ts'
import { lockRecord, type RecordSource, type Table, updateRecord } from '../persistence/database/table.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { Context } from '../request/context.ts'
import { type Command, command } from './operation.ts'

interface RecordUpdate<Input, Value, Row, Item> {
  readonly name: string
  readonly table: Table<Row, Item>
  /** The noun of the record in messages. */
  readonly noun: string
  readonly idOf: (input: Input) => string
  readonly read: (input: Input, ctx: Context) => { value: Value | undefined; violations: readonly Violation[] }
  /** As in CommandDefinition. */
  readonly readWithStored?: (input: Input, stored: Item) => { value: Value | undefined; violations: readonly Violation[] }
  /** The changed record; `stored` itself when nothing changes. `now` is epoch milliseconds. */
  readonly apply: (stored: Item, value: Value, now: number) => Item
}

/** A command that changes a record under its row lock. Two statements, one when nothing changes. */
export function recordUpdate<Input, Value, Row, Item extends StoredRecord>({
  name,
  table,
  noun,
  idOf,
  read,
  readWithStored,
  apply,
}: RecordUpdate<Input, Value, Row, Item>): Command<Input, Item> {
  return command<Input, Value, Item, Item>({
    name,
    right: 'admin',
    read,
    ...(readWithStored && { readWithStored }),
    load: (tx, input) => lockOrThrow(tx, table, idOf(input), noun),
    run: async (tx, value, stored, ctx) => {
      const updated = apply(stored, value, ctx.now)
      if (updated !== stored) await updateRecord(tx, table, stored, updated)
      return updated
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
