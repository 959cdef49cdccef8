import { AnswerValidity } from './answer-validity.ts'
import type { Config } from './config.ts'
import type { Lifetime } from './lifetime.ts'
import type { Logger } from './log.ts'
import type { ChangeFeed } from './persistence/change-feed.ts'
import type { Database } from './persistence/database.ts'
import { createLoaders, type Loaders } from './persistence/loaders.ts'
import type { ReleaseStore } from './persistence/release-store.ts'
import { RequestDatabase } from './persistence/request-database.ts'

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
  readonly requestId: string
  /** The client wants to be told what its operation costs. */
  readonly showCost?: boolean
  /** Absent for work that no request asked for. */
  readonly lifetime?: Lifetime | undefined
}

export const noSurroundings: Surroundings = { acceptLanguage: null, currency: null, channel: null, tag: null }

export function createContext(
  services: Services,
  request: {
    viewer: Viewer
    now: number
    surroundings?: Surroundings
    requestId: string
    showCost?: boolean
    lifetime?: Lifetime | undefined
  },
): Context {
  const { releases } = services
  const { lifetime } = request
  const database = lifetime ? new RequestDatabase(services.database, lifetime) : services.database
  const validity = new AnswerValidity()
  const loaders = createLoaders(database, releases, validity)
  const { now } = request
  // Whoever reaches for the database itself reads or writes more than releases; whoever asks for the instant or the account depends on them.
  return {
    ...services,
    get database() {
      validity.readStored()
      return database
    },
    surroundings: noSurroundings,
    ...request,
    viewer: ofAccount(request.viewer, validity),
    get now() {
      validity.readMoment()
      return now
    },
    loaders,
    validity,
  }
}

/** The viewer; who asks for the account makes an answer of it alone, which is not for others of the role. */
function ofAccount(viewer: Viewer, validity: AnswerValidity): Viewer {
  return {
    ...viewer,
    get accountId() {
      validity.readStored()
      return viewer.accountId
    },
  }
}
