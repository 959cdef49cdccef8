/**
 * Work budget of one request, in points of about five microseconds of one core; time slicing and limits while it runs.
 *
 * The cost of a query is estimated before it runs (graphql/server/cost.ts), but lists without paging can exceed the
 * estimate. So the real work is counted as well, and a request that exceeds a limit is aborted. Weights of single
 * objects: graphql/server/cost-weights.ts.
 */
import type { Overloaded } from '../domain/input/errors.ts'
import type { RequestDeadline } from '../lib/deadline.ts'
import type { TimeSlices, Waiter } from '../lib/time-slices.ts'
import { type ConcurrencyLimiter, HEAVY_POINTS, type WorkPermit } from './concurrency-limiter.ts'

/** Points of one request: half a second. */
export const WORK_MAX = 100_000
/**
 * Characters of JSON in the release documents that one request reads. Decoded, large documents take about twice that
 * much memory, small ones nine times.
 */
export const DOCUMENT_CHARACTERS_MAX = 12 * 1024 * 1024
/** Characters of one response. */
export const RESPONSE_CHARACTERS_MAX = 8 * 1024 * 1024
/**
 * Characters of a release document that are read and decoded per point. The first five points are part of the object's
 * own weight.
 */
const CHARACTERS_PER_POINT = 200
const POINTS_OF_OBJECT = 5
/** Points of reading a release document of so many characters, beyond its object's weight. */
export function documentPoints(characters: number): number {
  return Math.max(0, characters / CHARACTERS_PER_POINT - POINTS_OF_OBJECT)
}

/** Error of a request that exceeded a limit: the figure and the limit. Its message is for clients. */
export class WorkLimit extends Error {
  override readonly name = 'WorkLimit'

  constructor(
    /** What the figure counts, as the beginning of a sentence. */
    readonly subject: string,
    readonly figure: number,
    readonly limit: number,
  ) {
    super(`${subject} is ${figure}, at most ${limit} is allowed`)
  }
}

let created = 0

/** A new promise each time, since a promise references everything that waits for it. */
const never = (): Promise<never> => new Promise(() => undefined)

/** Counts the work of one request, yields to other requests between slices, and aborts the request past a limit. */
export class RequestWork implements Waiter {
  readonly order = created++
  /** Points. */
  spent = 0
  /** Its share of the concurrent work; null where that is not limited. */
  permit: WorkPermit | null = null
  /** The permit of its long body (long-bodies.ts); null without one. */
  bodyPermit: WorkPermit | null = null
  /**
   * False for mutations: they neither wait for a larger permit nor are aborted halfway; their fields past a limit fail
   * one by one.
   */
  interruptible = true
  /** The first limit that it exceeded. */
  private exceeded: WorkLimit | null = null
  /** Set while it waits for a larger permit. */
  private growing: Promise<void> | undefined
  /**
   * Rejects when the request is aborted: with WorkLimit, Overloaded (no larger permit in time) or the deadline's abort
   * reason.
   */
  readonly aborted: Promise<never>
  private stop!: (reason: Error) => void
  private characters = 0
  /** The numbers of the release documents that were counted. */
  private readonly numbers = new Set<number>()

  /** Without `slices` it never yields; with `unlimited` it counts and never throws. */
  constructor(
    private readonly slices?: TimeSlices,
    private readonly deadline?: RequestDeadline,
    private readonly unlimited = false,
  ) {
    this.aborted = new Promise((_, reject) => {
      this.stop = reject
    })
    // The executor and the REST server race it; elsewhere the rejection has no handler.
    this.aborted.catch(() => undefined)
  }

  /** Whether it counts as heavy for admission and time slices: by the points permitted or spent, whichever are more. */
  get isHeavy(): boolean {
    return this.spent > HEAVY_POINTS || (this.permit?.points ?? 0) > HEAVY_POINTS
  }

  /** Adds points of work. Throws WorkLimit past WORK_MAX. */
  spend(points: number): void {
    this.spent += points
    if (this.spent > WORK_MAX)
      this.exceed(new WorkLimit('The work that the request turned out to take', Math.ceil(this.spent), WORK_MAX))
  }

  /** Counts a release document, each document once. Throws WorkLimit past DOCUMENT_CHARACTERS_MAX or WORK_MAX. */
  countDocument(number: number, characters: number): void {
    if (this.numbers.has(number)) return
    this.numbers.add(number)
    this.characters += characters
    if (this.characters > DOCUMENT_CHARACTERS_MAX)
      this.exceed(
        new WorkLimit(
          'The number of characters of all products that the request reads',
          this.characters,
          DOCUMENT_CHARACTERS_MAX,
        ),
      )
    this.spend(documentPoints(characters))
  }

  /** Checks the length of the response, in characters. Throws WorkLimit past RESPONSE_CHARACTERS_MAX. */
  countResponse(characters: number): void {
    if (!this.interruptible) return
    if (this.exceeded) throw this.exceeded
    if (characters > RESPONSE_CHARACTERS_MAX)
      this.exceed(new WorkLimit('The number of characters of the response', characters, RESPONSE_CHARACTERS_MAX))
  }

  /**
   * Cooperative yield: undefined when the request may go on at once, else a promise that resolves when it may. The
   * promise never resolves once the request is aborted; `aborted` rejects then. Never await it inside a transaction,
   * whose connection would be blocked.
   */
  yieldPoint(): Promise<void> | undefined {
    if (this.exceeded && this.interruptible) return never()
    const grown = this.growing ?? this.grow(this.spent)
    const wait = grown ? grown.then(() => this.slices?.turn(this)) : this.slices?.turn(this)
    return wait?.then(() => {
      if (!this.interruptible) return undefined
      if (this.deadline?.abortReason) return this.end(this.deadline.abortReason)
      return this.exceeded ? never() : undefined
    })
  }

  /** Lets others run before `compute` in a heavy request. In a light one, promises would cost more than prices. */
  inTurn<T>(compute: () => T): T | Promise<T> {
    const wait = this.isHeavy ? this.yieldPoint() : undefined
    return wait ? wait.then(compute) : compute()
  }

  /** As `yieldPoint`, for code that does not race with `aborted`: rejects when the request is aborted. */
  async nextTurn(): Promise<void> {
    if (this.interruptible && this.deadline?.abortReason) throw this.deadline.abortReason
    await Promise.race([this.yieldPoint(), this.aborted])
  }

  /** Waits for a permit of so many points, or for the new size of the one that it has. Rejects with Overloaded. */
  async admit(limiter: ConcurrencyLimiter | undefined, token: string, points: number): Promise<void> {
    if (this.permit) await this.permit.resize(points)
    else this.permit = (await limiter?.acquire(token, points)) ?? null
  }

  /** Releases the permit of the body, when the request has ended or goes on as a stream. */
  releaseBody(): void {
    this.bodyPermit?.release()
    this.bodyPermit = null
  }

  /** Releases the permit, when the request has ended or goes on as a stream. */
  releasePermit(): void {
    this.permit?.release()
    this.permit = null
  }

  /**
   * Resizes the permit when it is too small; undefined when that needs no wait. Asks for up to twice the points, so
   * that it rarely has to ask again.
   */
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

  /** Aborts the request. The promise never resolves, so that pending fields stop instead of failing one by one. */
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
