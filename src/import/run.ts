/** Takes files of objects into the store: the program behind `npm run import`, without its terminal. */
import { setImmediate } from 'node:timers/promises'
import { formatPath } from '../domain/input/errors.ts'
import { isObject } from '../domain/input/input-reader.ts'
import type { Services } from '../request/context.ts'
import { applyBatch } from './apply.ts'
import { Batch, groupOf, type ImportObject, knownTypes } from './batch.ts'
import type { Outcome, OutcomeKind } from './outcome.ts'
import { preparePrice } from './price-batch.ts'
import type { ParsedObject } from './splitter.ts'

export interface ImportOptions {
  /** After a refused object: end, or go on with the next. What was taken before it stays. */
  readonly onError: 'stop' | 'skip'
  /** Hears of each refused object: where it begins, and a sentence for everything that is wrong with it. */
  readonly onRefused: (line: number, problems: readonly string[]) => void
}

/** How many objects of a type came to what; objects that could not be read count under `unreadable`. */
export type Counts = Map<string, Record<OutcomeKind, number>>

/** The type under which objects count that have none. */
export const UNREADABLE = '(unreadable)'

/** So many objects are read at a stretch; then the answers that the database gave meanwhile are heard, and it gets its next statement. */
const YIELD_EVERY = 50

interface Refused {
  readonly line: number
  readonly type: string
  readonly problems: readonly string[]
}

/** Whether all was taken. Counts are added to `counts`, so that several files have one summary. */
export async function importObjects(
  services: Services,
  found: AsyncIterable<ParsedObject>,
  counts: Counts,
  options: ImportOptions,
): Promise<boolean> {
  const steps = batches(found)[Symbol.asyncIterator]()
  let fine = true
  try {
    // While the database works on one batch the next is read.
    for (let next = steps.next(); ; ) {
      const { value: step, done } = await next
      if (done) return fine
      next = steps.next()
      // Its failure is met in the next round; until then it must not count as unhandled.
      next.catch(() => {})
      for await (const outcomes of applyStep(services, step, options)) {
        for (const outcome of outcomes) {
          count(counts, outcome)
          if (outcome.problems === null) continue
          fine = false
          options.onRefused(outcome.line, outcome.problems)
          if (options.onError === 'stop') return false
        }
      }
    }
  } finally {
    await steps.return?.(undefined)
  }
}

interface Settled {
  readonly line: number
  readonly type: string
  readonly kind: OutcomeKind
  /** Null when it was taken. */
  readonly problems: readonly string[] | null
}

/** What became of each object, told as soon as it is stored. */
async function* applyStep(services: Services, step: Batch | Settled, { onError }: ImportOptions): AsyncGenerator<readonly Settled[]> {
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

function count(counts: Counts, { type, kind }: Settled): void {
  const ofType = counts.get(type) ?? { created: 0, updated: 0, unchanged: 0, refused: 0 }
  ofType[kind]++
  counts.set(type, ofType)
}

/** Objects in batches, in the order of the stream; what can't be read comes in its place. */
async function* batches(found: AsyncIterable<ParsedObject>): AsyncGenerator<Batch | Settled> {
  let batch = new Batch()
  let read = 0
  for await (const one of found) {
    if (++read % YIELD_EVERY === 0) await setImmediate()
    const object = toObject(one)
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
