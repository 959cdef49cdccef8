/**
 * Work of one request, in points of about five microseconds of one core: what it has spent, and where it ends.
 *
 * Page sizes tell beforehand what a query costs at most, save for lists that have no page; so what is really read is counted while a request
 * runs, and one that goes past a limit ends there. Weights of single objects: graphql/server/cost-weights.ts.
 */
import type { Overloaded } from '../domain/input/errors.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { TimeSlices, Waiter } from '../lib/time-slices.ts'
import { HEAVY_POINTS, type WorkPermit } from './concurrency-limiter.ts'

/** Points of one request: half a second. */
export const WORK_MAX = 100_000
/** Characters of JSON of the release documents that one request reads; decoded, large ones take about twice that, small ones nine times. */
export const DOCUMENT_CHARACTERS_MAX = 12 * 1024 * 1024
/** Characters of one response. */
export const RESPONSE_CHARACTERS_MAX = 8 * 1024 * 1024
/** Points of one price that a record without sales gives; a summed bundle is as many as it has products. */
export const PRICE_POINTS = 1
/** A release document is read and decoded in a point by so many characters; the first five points are part of what its object costs. */
const CHARACTERS_PER_POINT = 200
const POINTS_OF_OBJECT = 5
/** Points of a release document of so many characters, beside what its object costs. */
export function documentPoints(characters: number): number {
  return Math.max(0, characters / CHARACTERS_PER_POINT - POINTS_OF_OBJECT)
}

/** What a request went past. Its message is for clients. */
export class WorkLimit extends Error {
  override readonly name = 'WorkLimit'

  constructor(
    /** What the figure is of, to begin a sentence with. */
    readonly subject: string,
    readonly figure: number,
    readonly limit: number,
  ) {
    super(`${subject} is ${figure}, at most ${limit} is allowed`)
  }
}

let created = 0

/** A new one each time: who waits for a promise is held by it. */
const never = (): Promise<never> => new Promise(() => undefined)

export class RequestWork implements Waiter {
  readonly order = created++
  /** Points. */
  spent = 0
  /** What it has of the room for all requests' work, where that is bounded. */
  permit: WorkPermit | null = null
  /** False for what writes: it neither waits for more room nor ends in its middle; fields past a limit fail one by one, beside what was done. */
  interruptible = true
  /** The limit that it went past. */
  private exceeded: WorkLimit | null = null
  /** While it waits for more room. */
  private growing: Promise<void> | undefined
  /** Rejects when the request can't go on: with the limit that it went past, or because there was no room for it in time, or it has ended. */
  readonly aborted: Promise<never>
  private stop!: (reason: Error) => void
  private characters = 0
  /** Of the release documents that were read. */
  private readonly numbers = new Set<number>()

  /** Without `slices` it never gives way; with `unlimited` it only counts. */
  constructor(
    private readonly slices?: TimeSlices,
    private readonly deadline?: RequestDeadline,
    private readonly unlimited = false,
  ) {
    this.aborted = new Promise((_, reject) => {
      this.stop = reject
    })
    // The executor and the facade race it; elsewhere a rejection has no listener.
    this.aborted.catch(() => undefined)
  }

  /** Points that the request has room for or has spent, the larger: the lightest request runs first. */
  get weight(): number {
    return Math.max(this.spent, this.permit?.points ?? 0)
  }

  get isHeavy(): boolean {
    return this.weight > HEAVY_POINTS
  }

  /** Throws WorkLimit past WORK_MAX. */
  spend(points: number): void {
    this.spent += points
    if (this.spent > WORK_MAX) this.exceed(new WorkLimit('The work that the request turned out to take', Math.ceil(this.spent), WORK_MAX))
  }

  /** Counts a release document that was read, however often, once. Throws WorkLimit. */
  countDocument(number: number, characters: number): void {
    if (this.numbers.has(number)) return
    this.numbers.add(number)
    this.characters += characters
    if (this.characters > DOCUMENT_CHARACTERS_MAX)
      this.exceed(
        new WorkLimit('The number of characters of all products that the request reads', this.characters, DOCUMENT_CHARACTERS_MAX),
      )
    this.spend(documentPoints(characters))
  }

  /** Counts the characters of the response. Throws WorkLimit. */
  countResponse(characters: number): void {
    if (!this.interruptible) return
    if (this.exceeded) throw this.exceeded
    if (characters > RESPONSE_CHARACTERS_MAX)
      this.exceed(new WorkLimit('The number of characters of the response', characters, RESPONSE_CHARACTERS_MAX))
  }

  /**
   * Undefined when the request may go on at once, else what resolves when it may; never, when the request has
   * ended or past a limit, which `stopped` tells. Not for work inside a transaction, which would hold its connection.
   */
  yieldPoint(): Promise<void> | undefined {
    if (this.exceeded && this.interruptible) return never()
    const grown = this.growing ?? this.grow(this.spent)
    const wait = grown ? grown.then(() => this.slices?.turn(this)) : this.slices?.turn(this)
    return wait?.then(() =>
      this.deadline?.abortReason && this.interruptible
        ? this.end(this.deadline.abortReason)
        : this.exceeded && this.interruptible
          ? never()
          : undefined,
    )
  }

  /** The request has ended, or goes on as a stream: others may have its room. */
  releasePermit(): void {
    this.permit?.release()
    this.permit = null
  }

  /** Undefined when it has room for so many points, or gets it at once. A request that outgrows its room gets up to twice as much, so that it asks seldom. */
  private grow(points: number): Promise<void> | undefined {
    if (!this.interruptible || !this.permit || points <= this.permit.points) return undefined
    this.growing = this.permit.resize(Math.min(2 * points, points <= HEAVY_POINTS ? HEAVY_POINTS : WORK_MAX))?.then(
      () => {
        this.growing = undefined
      },
      (reason: Overloaded) => this.end(reason),
    )
    return this.growing
  }

  /** What is under way goes no further: thousands of fields need not fail one by one. */
  private end(reason: Error): Promise<void> {
    this.stop(reason)
    return never()
  }

  private exceed(limit: WorkLimit): void {
    if (this.unlimited) return
    this.exceeded ??= limit
    if (this.interruptible) this.stop(this.exceeded)
    throw this.exceeded
  }
}
