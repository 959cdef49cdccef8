/** Record deletions: the command that deletes one record and returns it. */
import type { LoggedTable } from '../persistence/database/change-log.ts'
import { deleteRecord } from '../persistence/database/table.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import type { ReferencedKind } from '../persistence/referencing-records.ts'
import { command, readNothing } from './operation.ts'
import { assertNotReferenced } from './referencing-records.ts'

interface RecordDelete<Input, Item> {
  readonly name: string
  readonly table: LoggedTable<Item>
  /** Locks the record and reads it; throws notFound when there is none. */
  readonly load: (tx: Transaction, input: Input) => Promise<Item>
  /** IN_USE while records refer to one of this kind; absent: what refers to it does not keep it. */
  readonly inUseAs?: ReferencedKind
}

/** A command that deletes a record under its row lock. */
export function recordDelete<Input, Item extends { readonly id: string }>({ name, table, load, inUseAs }: RecordDelete<Input, Item>) {
  return command<Input, undefined, Item, Item>({
    name,
    right: 'admin',
    read: readNothing,
    load,
    run: async (tx, _, stored) => {
      if (inUseAs) await assertNotReferenced(tx, inUseAs, stored.id)
      await deleteRecord(tx, table, stored)
      return stored
    },
  })
}
