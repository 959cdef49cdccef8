/** Import run: takes a stream of objects into the store, batch by batch, without the terminal of `npm run import`. */
import { setImmediate } from 'node:timers/promises'
import { formatPath } from '../domain/input/errors.ts'
import { isObject } from '../domain/input/input-reader.ts'
import type { Services } from '../request/context.ts'
import { applyBatch } from './apply.ts'
import { Batch, groupOf, type ImportObject, knownTypes } from './batch.ts'
import type { Outcome, OutcomeKind } from './outcome.ts'
import { preparePrice } from './price-batch.ts'
import type { ParsedObject } from './splitter.ts'

/** How refused objects are handled. */
export interface ImportOptions {
  /** Whether to end at a refused object or to continue with the next. Objects that were taken before it stay. */
  readonly onError: 'stop' | 'skip'
  /** Called for each refused object with its first line and a sentence for each violation. */
  readonly onRefused: (line: number, problems: readonly string[]) => void
}

/** The number of objects by type and outcome. */
export type Counts = Map<string, Record<OutcomeKind, number>>

/** The type under which objects without a known type are counted. */
export const UNREADABLE = '(unreadable)'

/** Objects after which reading yields to the event loop, so that the database's responses are handled and it gets its next statement. */
const YIELD_EVERY = 50

interface Refused {
  readonly line: number
  readonly type: string
  readonly problems: readonly string[]
}

/** Imports objects and adds their outcomes to `counts`, which several files share; whether none was refused. Throws Unavailable. */
export async function importObjects(
  services: Services,
  found: AsyncIterable<ParsedObject>,
  counts: Counts,
  options: ImportOptions,
): Promise<boolean> {
  const steps = batches(found)[Symbol.asyncIterator]()
  let allTaken = true
  try {
    // The next batch is read while the database writes this one.
    for (let next = steps.next(); ; ) {
      const { value: step, done } = await next
      if (done) return allTaken
      next = steps.next()
      // Its failure is handled in the next round and must not count as unhandled before.
      next.catch(() => {})
      for await (const outcomes of applyStep(services, step, options)) {
        for (const outcome of outcomes) {
          count(counts, outcome)
          if (outcome.problems === null) continue
          allTaken = false
          options.onRefused(outcome.line, outcome.problems)
          if (options.onError === 'stop') return false
        }
      }
    }
  } finally {
    await steps.return?.(undefined)
  }
}

interface ObjectOutcome {
  readonly line: number
  readonly type: string
  readonly kind: OutcomeKind
  /** Null when the object was taken. */
  readonly problems: readonly string[] | null
}

/** The outcomes of a batch, or of an unreadable object, yielded as soon as they are stored. */
async function* applyStep(
  services: Services,
  step: Batch | ObjectOutcome,
  { onError }: ImportOptions,
): AsyncGenerator<readonly ObjectOutcome[]> {
  if (!(step instanceof Batch)) {
    yield [step]
    return
  }
  const objects = step.objects.values()
  for await (const outcomes of applyBatch(services, step.objects, onError === 'stop')) {
    yield outcomes.map((outcome) => {
      const { line, type } = objects.next().value as ImportObject
      return { line, type, kind: outcome.kind, problems: problemsOf(outcome) }
    })
  }
}

function problemsOf(outcome: Outcome): string[] | null {
  if (outcome.kind !== 'refused') return null
  return outcome.violations.map(({ code, path, message }) => `${formatPath(['data', ...path])}: ${message} (${code})`)
}

function count(counts: Counts, { type, kind }: ObjectOutcome): void {
  const typeCounts = counts.get(type) ?? { created: 0, updated: 0, unchanged: 0, refused: 0 }
  typeCounts[kind]++
  counts.set(type, typeCounts)
}

/** The batches of a stream, in order, with the unreadable objects between them. */
async function* batches(found: AsyncIterable<ParsedObject>): AsyncGenerator<Batch | ObjectOutcome> {
  let batch = new Batch()
  let read = 0
  for await (const parsed of found) {
    if (++read % YIELD_EVERY === 0) await setImmediate()
    const object = toObject(parsed)
    const refused = 'problems' in object
    if (!refused && batch.add(object)) continue
    if (batch.objects.length > 0) yield batch
    batch = new Batch()
    if (refused) yield { ...object, kind: 'refused' }
    else batch.add(object)
  }
  if (batch.objects.length > 0) yield batch
}

function toObject(found: ParsedObject): ImportObject | Refused {
  const { line } = found
  if ('problem' in found) return { line, type: UNREADABLE, problems: [found.problem] }
  const refused = (problem: string): Refused => ({ line, type: UNREADABLE, problems: [problem] })
  const { data } = found.value as { data?: unknown }
  if (!isObject(data))
    return refused(`data: ${data === undefined ? 'must be given' : 'must be an object'} (${data == null ? 'REQUIRED' : 'INVALID_TYPE'})`)
  const { type } = data
  const group = typeof type === 'string' && groupOf(type)
  if (!group) return refused(`data.type: must be one of ${knownTypes.join(', ')} (INVALID_VALUE)`)
  return group === 'prices' ? { line, type, group, data, price: preparePrice(data) } : { line, type, group, data }
}
