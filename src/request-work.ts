/**
 * Work of one request, in points of about five microseconds of one core: what it has spent, and where it ends.
 *
 * Page sizes tell beforehand what a query costs at most, save for lists that have no page; so what is really read is counted while a request
 * runs, and one that goes past a limit ends there. Weights of single objects: graphql/cost-weights.ts.
 */
import type { Overloaded } from './domain/errors.ts'
import type { Lifetime } from './lifetime.ts'
import type { TimeSlices, Waiter } from './time-slices.ts'
import { HEAVY, type Room } from './work-in-flight.ts'

/** Points of one request: half a second. */
export const WORK_MAX = 100_000
/** Characters of JSON of the release documents that one request reads; decoded, large ones take about twice that, small ones nine times. */
export const DOCUMENT_CHARACTERS_MAX = 12 * 1024 * 1024
/** Characters of one response. */
export const RESPONSE_CHARACTERS_MAX = 8 * 1024 * 1024
/** Points of one price that a record without sales gives; a summed bundle is as many as it has products. */
export const PRICE_POINTS = 0.5
/** A release document is read and decoded in a point by so many characters; the first five points are part of what its object costs. */
const CHARACTERS_PER_POINT = 200
const POINTS_OF_OBJECT = 5
/** Who needs more room than it has is given so much more, so that it asks seldom. */
const ROOM_STEP = 2_000

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

export class RequestWork implements Waiter {
  readonly order = created++
  /** Points. */
  spent = 0
  /** What it has of the room for all requests' work, where that is bounded. */
  room: Room | null = null
  /** Whether it waits for more room when it needs it. */
  bounded = true
  /** The limit that it went past. */
  exceeded: WorkLimit | null = null
  /** Why it could not go on: there was no room for it in time. */
  refused: Overloaded | null = null
  private characters = 0
  /** Of the release documents that were read. */
  private readonly numbers = new Set<number>()

  /** Without `slices` it never gives way; with `unlimited` it only counts. */
  constructor(
    private readonly slices?: TimeSlices,
    private readonly lifetime?: Lifetime,
    private readonly unlimited = false,
  ) {}

  get isHeavy(): boolean {
    return (this.room?.points ?? this.spent) > HEAVY
  }

  /** Throws WorkLimit past WORK_MAX. */
  spend(points: number): void {
    this.spent += points
    if (this.spent > WORK_MAX) this.exceed(new WorkLimit('The work that the request turned out to take', Math.ceil(this.spent), WORK_MAX))
  }

  /** Counts a release document that was read, however often, once. Throws WorkLimit. */
  read(number: number, characters: number): void {
    if (this.numbers.has(number)) return
    this.numbers.add(number)
    this.characters += characters
    if (this.characters > DOCUMENT_CHARACTERS_MAX)
      this.exceed(
        new WorkLimit('The number of characters of all products that the request reads', this.characters, DOCUMENT_CHARACTERS_MAX),
      )
    this.spend(documentPoints(characters))
  }

  /** Counts the characters of the response, which is made then: `exceeded` tells whether it may be sent. */
  respond(characters: number): void {
    if (characters > RESPONSE_CHARACTERS_MAX)
      this.exceeded ??= new WorkLimit('The number of characters of the response', characters, RESPONSE_CHARACTERS_MAX)
  }

  /**
   * Undefined when the request may go on at once, and spend `ahead` points more, else what resolves when it may; it rejects when the request
   * has ended meanwhile, or when there was no room for it in time. Not for work inside a transaction, which would hold its connection.
   */
  turn(ahead = 0): Promise<void> | undefined {
    const points = this.spent + ahead
    const grown =
      this.bounded && this.room && points > this.room.points ? this.room.resize(points + ROOM_STEP)?.catch(this.refuse) : undefined
    const wait = grown ? grown.then(() => this.slices?.turn(this)) : this.slices?.turn(this)
    return wait?.then(() => {
      const reason = this.exceeded ?? this.lifetime?.ended
      if (reason) throw reason
    })
  }

  /** The request has ended, or goes on as a stream: others may have its room. */
  leave(): void {
    this.room?.leave()
    this.room = null
  }

  private readonly refuse = (reason: Overloaded): never => {
    this.refused = reason
    throw reason
  }

  private exceed(limit: WorkLimit): void {
    if (this.unlimited) return
    this.exceeded ??= limit
    throw this.exceeded
  }
}
