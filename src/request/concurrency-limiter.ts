/**
 * Admission by work: the work of all requests that run at once is bounded, for the process and for each token.
 *
 * A request is weighed before it runs. What does not fit waits, the lightest first, for WAITING_MS at most, and is refused with 503 then. Heavy
 * requests have room of their own, so that pages are served while trees of pages wait. A request that turns out to be heavier than it was
 * weighed waits for more room in its middle; one of those always goes on, so that they don't wait for each other.
 */
import { Overloaded } from '../domain/input/errors.ts'

/** Points of work (request-work.ts); a request that takes more is heavy. */
export const HEAVY_POINTS = 2_000
/** Points of all light requests that run: half a second of one core. */
export const LIGHT_WORK_MAX = 100_000
/** Of all heavy ones, a second; and of those of one token. */
export const HEAVY_WORK_MAX = 200_000
export const TOKEN_WORK_MAX = 150_000
/** Milliseconds. */
export const QUEUE_TIMEOUT_MS = 2_000
/** Requests; of more the heaviest is refused. */
export const QUEUE_MAX = 200

interface Waiting {
  readonly room: WorkPermit
  /** All that the room is to have. */
  readonly points: number
  readonly begin: () => void
  readonly refuse: (reason: Overloaded) => void
}

export class ConcurrencyLimiter {
  private light = 0
  private heavy = 0
  private readonly heavyByToken = new Map<string, number>()
  /** By rising points, those of equal points in the order of coming. */
  private readonly waiting: Waiting[] = []
  /** Those that turned out to be heavy, in that order. */
  private readonly grown = new Set<WorkPermit>()

  /** Room for a request of so many points; rejects with Overloaded when there is none in time. */
  async acquire(token: string, points: number): Promise<WorkPermit> {
    const room = new WorkPermit(this, token)
    await this.resize(room, points)
    return room
  }

  /** Undefined when there is so much room at once, else what resolves when there is. */
  resize(room: WorkPermit, exact: number): Promise<void> | undefined {
    // Fractions would not add up to what was there before.
    const points = Math.ceil(exact)
    if (room.points > 0 && points > HEAVY_POINTS) this.grown.add(room)
    this.set(room, 0)
    const wait = this.fits(room, points) ? this.set(room, points) : this.wait(room, points)
    // What it had may be enough for others.
    this.admit()
    return wait
  }

  release(room: WorkPermit): void {
    // What it still waits for would never be given back.
    for (const entry of this.waiting.filter((one) => one.room === room)) entry.refuse(new Overloaded('the request has ended'))
    this.set(room, 0)
    this.grown.delete(room)
    this.admit()
  }

  private admit(): void {
    for (const entry of [...this.waiting]) if (this.fits(entry.room, entry.points)) entry.begin()
  }

  private fits(room: WorkPermit, points: number): boolean {
    if (points <= HEAVY_POINTS) return this.light + points <= LIGHT_WORK_MAX
    const [first] = this.grown
    if (room === first) return true
    return this.heavy + points <= HEAVY_WORK_MAX && (this.heavyByToken.get(room.token) ?? 0) + points <= TOKEN_WORK_MAX
  }

  private set(room: WorkPermit, points: number): undefined {
    this.count(room, -1)
    room.points = points
    this.count(room, 1)
  }

  private count({ points, token }: WorkPermit, sign: 1 | -1): void {
    if (points <= HEAVY_POINTS) this.light += sign * points
    else {
      this.heavy += sign * points
      const ofToken = (this.heavyByToken.get(token) ?? 0) + sign * points
      if (ofToken > 0) this.heavyByToken.set(token, ofToken)
      else this.heavyByToken.delete(token)
    }
  }

  private wait(room: WorkPermit, points: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => entry.refuse(new Overloaded('there was no room for the work in time')), QUEUE_TIMEOUT_MS)
      const leave = (): void => {
        clearTimeout(timer)
        this.waiting.splice(this.waiting.indexOf(entry), 1)
      }
      const entry: Waiting = {
        room,
        points,
        begin: () => {
          leave()
          this.set(room, points)
          resolve()
        },
        refuse: (reason) => {
          leave()
          reject(reason)
        },
      }
      const place = this.waiting.findIndex((other) => other.points > points)
      this.waiting.splice(place < 0 ? this.waiting.length : place, 0, entry)
      if (this.waiting.length > QUEUE_MAX) this.waiting.at(-1)?.refuse(new Overloaded('too much work waits'))
    })
  }
}

/** What a request that runs has of the room. */
export class WorkPermit {
  points = 0

  constructor(
    private readonly work: ConcurrencyLimiter,
    /** Which token's work it is; equal for equal tokens. */
    readonly token: string,
  ) {}

  /** Undefined when there is so much room at once, else what resolves when there is; rejects with Overloaded when there is none in time. */
  resize(points: number): Promise<void> | undefined {
    return this.work.resize(this, points)
  }

  release(): void {
    this.work.release(this)
  }
}
