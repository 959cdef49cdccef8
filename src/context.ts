import { AnswerValidity } from './answer-validity.ts'
import type { Config } from './config.ts'
import type { Lifetime } from './lifetime.ts'
import type { Logger } from './log.ts'
import type { ChangeFeed } from './persistence/change-feed.ts'
import type { Database } from './persistence/database.ts'
import { createLoaders, type Loaders } from './persistence/loaders.ts'
import type { ReleaseStore } from './persistence/release-store.ts'
import { RequestDatabase } from './persistence/request-database.ts'
import { RequestWork } from './request-work.ts'
import type { TimeSlices } from './time-slices.ts'
import type { WorkInFlight } from './work-in-flight.ts'

/** Who asks (AUTH-1, AUTH-2). `accountId` is a shopper's own account. */
export interface Viewer {
  readonly subject: string
  readonly role: 'admin' | 'shopper'
  readonly accountId: string | null
  /** Epoch milliseconds from which on the token is no longer good, the clock skew included. */
  readonly expiresAt: number
}

/** What lives as long as the process. */
export interface Services {
  readonly config: Config
  readonly database: Database
  readonly releases: ReleaseStore
  /** Absent where nobody listens, as in an import. */
  readonly changes?: ChangeFeed
  readonly log: Logger
  /** Absent where nobody waits for anybody, as in an import. */
  readonly slices?: TimeSlices
  readonly workInFlight?: WorkInFlight
}

/** What a request says of the shopper's surroundings, as read from its headers (VAL-5, CAT-6, CAT-7). */
export interface Surroundings {
  /** The raw accept-language header. */
  readonly acceptLanguage: string | null
  /** X-MOLTIN-CURRENCY, checked to be a currency code. */
  readonly currency: string | null
  /** EP-Channel. */
  readonly channel: string | null
  /** EP-Context-Tag. */
  readonly tag: string | null
}

/** What lives as long as one request. Every operation takes it first. */
export interface Context extends Services {
  readonly viewer: Viewer
  /** The one instant of the request, epoch milliseconds (pricing G5). */
  readonly now: number
  readonly surroundings: Surroundings
  readonly loaders: Loaders
  /** Whoever prices anything at `now` tells it when the price changes. */
  readonly validity: AnswerValidity
  /** What the request has cost so far, and its turns at the processor. */
  readonly work: RequestWork
  readonly requestId: string
  /** The client wants to be told what its operation costs. */
  readonly showCost?: boolean
  /** Absent for work that no request asked for. */
  readonly lifetime?: Lifetime | undefined
}

export const noSurroundings: Surroundings = { acceptLanguage: null, currency: null, channel: null, tag: null }

interface RequestParts {
  readonly viewer: Viewer
  readonly now: number
  readonly surroundings?: Surroundings
  readonly requestId: string
  readonly showCost?: boolean
  readonly lifetime?: Lifetime | undefined
}

export function createContext(services: Services, request: RequestParts): Context {
  return new RequestContext(services, request)
}

/**
 * A class, since each object literal with a getter of its own has a shape of its own, which holds what the getter sees until the whole heap
 * is looked through.
 */
class RequestContext implements Context {
  readonly config: Config
  readonly releases: ReleaseStore
  readonly changes?: ChangeFeed
  readonly slices?: TimeSlices
  readonly workInFlight?: WorkInFlight
  readonly log: Logger
  readonly viewer: Viewer
  readonly work: RequestWork
  readonly surroundings: Surroundings
  readonly now: number
  readonly requestId: string
  readonly showCost: boolean
  readonly lifetime: Lifetime | undefined
  readonly validity = new AnswerValidity()
  readonly loaders: Loaders
  private readonly whole: Database

  constructor({ config, database, releases, changes, log, slices, workInFlight }: Services, request: RequestParts) {
    const { viewer, now, surroundings = noSurroundings, requestId, showCost = false, lifetime } = request
    this.config = config
    this.releases = releases
    if (changes) this.changes = changes
    if (slices) this.slices = slices
    if (workInFlight) this.workInFlight = workInFlight
    // Work without a request (an import, a publish's aftermath) is only counted.
    this.work = new RequestWork(slices, lifetime, !lifetime)
    this.log = log
    this.viewer = new RequestViewer(viewer, this.validity)
    this.surroundings = surroundings
    this.requestId = requestId
    this.showCost = showCost
    this.lifetime = lifetime
    this.whole = lifetime ? new RequestDatabase(database, lifetime) : database
    this.now = now
    this.loaders = createLoaders(this.whole, releases, this.validity)
  }

  /** Whoever reaches for the database itself reads or writes more than releases. */
  get database(): Database {
    this.validity.readStored()
    return this.whole
  }
}

/** The viewer; who asks for the account makes an answer of it alone, which is not for others of the role. */
class RequestViewer implements Viewer {
  readonly subject: string
  readonly role: Viewer['role']
  readonly expiresAt: number

  constructor(
    private readonly viewer: Viewer,
    private readonly validity: AnswerValidity,
  ) {
    this.subject = viewer.subject
    this.role = viewer.role
    this.expiresAt = viewer.expiresAt
  }

  get accountId(): string | null {
    this.validity.readStored()
    return this.viewer.accountId
  }
}
