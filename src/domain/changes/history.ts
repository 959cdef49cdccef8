/** History: the entries of the change log as administrators read them. */
import { isDeepStrictEqual } from 'node:util'
import { formatInstant } from '../input/instant.ts'
import type { ChangeKind, Topic } from './change.ts'

/** The kinds of records that have history: those of the log, and sales, whose history is that of their prices. */
export type HistoryTopic = Topic | 'sale'

/** A record as the log has it: plain JSON, instants in epoch milliseconds. */
export type LoggedState = Readonly<Record<string, unknown>>

/** An entry of the log, with the states of its record. */
export interface HistoryEntry {
  readonly id: number
  /** Epoch milliseconds. */
  readonly at: number
  readonly topic: HistoryTopic
  /** Raw id. */
  readonly recordId: string
  /** The name of the command. */
  readonly operation: string
  /** Of the writer's token. */
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  /** Null when the record was created. */
  readonly before: LoggedState | null
  /** Null when it was deleted. */
  readonly after: LoggedState | null
}

/** The kind of the change: the record was created, updated or deleted. */
export function kindOf({ before, after }: HistoryEntry): ChangeKind {
  return before === null ? 'created' : after === null ? 'deleted' : 'updated'
}

/** The names of the members that differ, in the order of names. */
export function changedFields({ before, after }: HistoryEntry): string[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])].sort()
  return names.filter((name) => !isDeepStrictEqual(before?.[name] ?? null, after?.[name] ?? null))
}

/** Members that hold instants. */
const instants = new Set(
  'at createdAt updatedAt startedAt publishedAt validFrom validTo pausedAt canceledAt resumedAt startsAt invoicesFrom askedAt undoneAt erasedAt prorateAt previousSecretUntil'.split(
    ' ',
  ),
)
/** Members that hold records. All others hold values, and clients choose some of the names in those. */
const nested = new Set(['sales', 'state', 'schedules', 'activations', 'agreement', 'changes'])
/** Members that the log has under their REST names. */
const renamed: Readonly<Record<string, string>> = { valid_from: 'validFrom', valid_to: 'validTo' }

/** A state as the graph writes it: with instants as texts and names in camelCase. */
export function toDocument(state: LoggedState): LoggedState {
  return Object.fromEntries(
    Object.entries(state).map(([logged, value]) => {
      const name = renamed[logged] ?? logged
      if (instants.has(name) && typeof value === 'number') return [name, formatInstant(value)]
      if (!nested.has(name) || value === null) return [name, value]
      return [name, Array.isArray(value) ? value.map((one) => toDocument(one)) : toDocument(value as LoggedState)]
    }),
  )
}
