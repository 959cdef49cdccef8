/** What writes of single records have in common. */
import type { Context } from '../context.ts'
import { notFound, type Violation } from '../domain/errors.ts'
import { isUuid } from '../domain/formats.ts'
import type { RecordList } from '../persistence/record-list.ts'
import { lockRecord } from '../persistence/record-lock.ts'
import type { Transaction } from '../persistence/transaction.ts'
import { type Command, command } from './operation.ts'

interface Stored {
  readonly id: string
  readonly createdAt: number
  readonly updatedAt: number
}

interface RecordUpdate<Input, Value, Row, Item> {
  readonly name: string
  readonly list: RecordList<Row, Item>
  /** What a message calls the record. */
  readonly noun: string
  readonly idOf: (input: Input) => string
  readonly read: (input: Input, ctx: Context) => { value: Value | undefined; violations: readonly Violation[] }
  /** See CommandDefinition. */
  readonly readBeside?: (input: Input, stored: Item) => { value: Value | undefined; violations: readonly Violation[] }
  /** The record as it is to be; what is stored itself when nothing changes. */
  readonly apply: (stored: Item, value: Value, now: number) => Item
  readonly write: (tx: Transaction, item: Item) => Promise<unknown>
}

/** Changes one record that no rule binds to others, under its row's lock. Two statements. */
export function recordUpdate<Input, Value, Row extends object, Item extends Stored>({
  name,
  list,
  noun,
  idOf,
  read,
  readBeside,
  apply,
  write,
}: RecordUpdate<Input, Value, Row, Item>): Command<Input, Item> {
  return command<Input, Value, Item, Item>({
    name,
    right: 'admin',
    read,
    ...(readBeside && { readBeside }),
    load: (tx, input) => lockOrMiss(tx, list, idOf(input), noun),
    run: async (tx, value, stored, ctx) => {
      const updated = apply(stored, value, ctx.now)
      if (updated !== stored) await write(tx, updated)
      return updated
    },
  })
}

/** The record under a lock; throws notFound at `id` when there is none. */
export async function lockOrMiss<Row extends object, Item>(
  tx: Transaction,
  list: RecordList<Row, Item>,
  id: string,
  noun: string,
): Promise<Item> {
  const record = isUuid(id) ? await lockRecord(tx, list, id) : null
  if (!record) throw notFound(['id'], `No such ${noun}`)
  return record
}
