/** Import run: takes a stream of objects into the store, batch by batch, without the terminal of `npm run import`. */
import { setImmediate } from 'node:timers/promises'
import { capViolations, formatPath, prefixPaths, type Violation } from '../domain/input/errors.ts'
import type { Transaction } from '../persistence/database/transaction.ts'
import { applyBatch, type BatchOptions } from './apply.ts'
import { Batch, type ImportObject, RELEASE } from './batch.ts'
import { dataPath, problemTexts, toObject } from './import-object.ts'
import type { ImportProgress } from './import-progress.ts'
import type { SpellOption } from './option-words.ts'
import { type Counts, countObjects, type HandledObject, type Outcome } from './outcome.ts'
import type { ParsedObject } from './parsed-object.ts'
import { beginning, type Place, placeBehind } from './place.ts'
import { type FindKeysIn, findBy, RefusedProducts } from './refused-products.ts'
import type { Writing } from './writing.ts'

/** How refused objects are handled. */
export interface ImportOptions {
  /** Whether to end at a refused object or to continue with the next. */
  readonly onError: 'stop' | 'skip'
  /** Whether unknown members are left out and counted; otherwise their object is refused. */
  readonly ignoreUnknown?: boolean
  /** How problems name options. */
  readonly spell: SpellOption
  /** Whether catalogs are published although objects before their release were refused. */
  readonly publishAnyway?: boolean
  /**
   * Called for each refused object with its place, its first line or the cells of a sheet, and a sentence for each
   * violation (import.bad-objects-named-by-line).
   */
  readonly onRefused: (found: ParsedObject, problems: readonly string[]) => void
  /** Called for each node that is taken without products that were refused, with a sentence for each. */
  readonly onLacking?: (found: ParsedObject, sentences: readonly string[]) => void
  /** The products that were refused in files before this one; absent: none. */
  readonly refusedProducts?: RefusedProducts
  /** A check, which sees each transaction before it is undone, and finds what it would have taken. */
  readonly check?: Pick<BatchOptions, 'prepare' | 'record'> & { readonly findKeys: FindKeysIn }
  /** Called when the outcomes of further objects have been added to the progress. */
  readonly onProgress?: () => void
}

type KnowingOptions = ImportOptions & { readonly refusedProducts: RefusedProducts }

/**
 * Error of an import that can't resume: the objects that it had read are no longer in the stream. The message is for
 * the operator.
 */
export class ChangedInput extends Error {
  override readonly name = 'ChangedInput'
}

/**
 * Objects after which reading yields to the event loop, so that the database's responses are handled and it gets its
 * next statement.
 */
const YIELD_EVERY = 50

/**
 * Imports the objects of a stream after the place of `importProgress`, and adds their outcomes to it. Returns whether
 * none was refused. Throws Unavailable, and ChangedInput when the objects before the place have changed.
 */
export async function importObjects(
  writing: Writing,
  found: AsyncIterable<ParsedObject>,
  importProgress: ImportProgress,
  given: ImportOptions,
): Promise<boolean> {
  const options = { ...given, refusedProducts: given.refusedProducts ?? new RefusedProducts() }
  const steps = batches(writing, found, importProgress, options)[Symbol.asyncIterator]()
  let allTaken = true
  try {
    // The next batch is read while the database writes this one.
    for (let next = steps.next(); ; ) {
      const { value: step, done } = await next
      if (done) return allTaken
      next = steps.next()
      // Its failure is handled in the next round, and must not count as unhandled before that.
      next.catch(() => {})
      for await (const handled of applyStep(writing, step, importProgress, options)) {
        await importProgress.add(handled)
        options.onProgress?.()
        for (const { found, problems, lacking = [] } of handled) {
          if (lacking.length > 0) options.onLacking?.(found, lacking)
          if (problems === null) continue
          allTaken = false
          options.refusedProducts.add(found, importProgress.fileName)
          options.onRefused(found, problems)
          if (options.onError === 'stop') return false
        }
      }
    }
  } finally {
    await steps.return?.(undefined)
  }
}

/** The outcomes of a batch, or of an unreadable object, yielded as soon as they are stored. */
async function* applyStep(
  writing: Writing,
  step: Batch | HandledObject,
  importProgress: ImportProgress,
  { onError, check, refusedProducts, spell, publishAnyway = false }: KnowingOptions,
): AsyncGenerator<readonly HandledObject[]> {
  if (!(step instanceof Batch)) {
    yield [step]
    return
  }
  const options = {
    stopAtRefusal: onError === 'stop',
    refusedProducts,
    spell,
    refusedBefore: publishAnyway ? 0 : refusedRecords(importProgress.state.counts),
    record: (tx: Transaction, objects: readonly ImportObject[], outcomes: readonly Outcome[]) =>
      importProgress.record(tx, handledObjects(objects, outcomes)),
    ...check,
  }
  let at = 0
  for await (const outcomes of applyBatch(writing, step.objects, options)) {
    yield handledObjects(step.objects.slice(at), outcomes)
    at += outcomes.length
  }
}

/** The objects that were refused so far, without releases: what a release would lack. */
function refusedRecords(counts: Counts): number {
  return countObjects(counts, ['refused']) - (counts.get(RELEASE)?.refused ?? 0)
}

function handledObjects(objects: readonly ImportObject[], outcomes: readonly Outcome[]): HandledObject[] {
  return outcomes.map((outcome, at) => {
    const { found, place, type, ignored } = objects[at] as ImportObject
    const { kind } = outcome
    if (kind === 'refused')
      return { found, place, type, kind, ignored, problems: sentencesOf(outcome.violations, found) }
    const lacking = outcome.lacking && sentencesOf(outcome.lacking, found)
    return { found, place, type, kind, ignored, problems: null, ...(lacking && { lacking }) }
  })
}

function sentencesOf(violations: readonly Violation[], found: ParsedObject): string[] {
  if ('value' in found && found.row) return capViolations(withoutEchoes(violations)).map(found.row.describe)
  if ('value' in found && found.describe) return capViolations(violations).map(found.describe)
  return problemTexts(prefixPaths(dataPath(found), violations))
}

/** A cell that can't be read counts as absent, so that what must be given is missed once more: that is left out. */
function withoutEchoes(violations: readonly Violation[]): Violation[] {
  const wrong = new Set(violations.flatMap(({ code, path }) => (code === 'REQUIRED' ? [] : [formatPath(path)])))
  return violations.filter(({ code, path }) => code !== 'REQUIRED' || !wrong.has(formatPath(path)))
}

/** The batches of a stream after the place of `importProgress`, in order, with the unreadable objects between them. */
async function* batches(
  writing: Writing,
  found: AsyncIterable<ParsedObject>,
  { state: { place: from }, fileName }: ImportProgress,
  { ignoreUnknown = false, check, refusedProducts }: KnowingOptions,
): AsyncGenerator<Batch | HandledObject> {
  const find = findBy(writing, check?.findKeys)
  let batch = new Batch()
  let place = beginning
  for await (const parsed of found) {
    place = placeBehind(place, parsed.bytes)
    if (place.objects % YIELD_EVERY === 0) await setImmediate()
    if (place.objects === from.objects) assertUnchanged(fileName, place, from)
    if (place.objects <= from.objects) {
      await refusedProducts.pass(parsed, fileName, find)
      if (place.objects === from.objects) await refusedProducts.settle(find)
      continue
    }
    const object = toObject(parsed, place, ignoreUnknown)
    const refused = 'problems' in object
    if (!refused && batch.add(object)) continue
    if (batch.objects.length > 0) yield batch
    batch = new Batch()
    if (refused) yield object
    else batch.add(object)
  }
  if (place.objects < from.objects) assertUnchanged(fileName, place, from)
  if (batch.objects.length > 0) yield batch
}

function assertUnchanged(fileName: string, place: Place, from: Place): void {
  if (place.objects === from.objects && place.hash === from.hash) return
  throw new ChangedInput(
    `${fileName}: its first ${from.objects} objects, which were imported before, have changed: import it without --resume`,
  )
}
