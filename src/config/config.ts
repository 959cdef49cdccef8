import type { Proxies } from '../lib/proxies.ts'
import { type AuthConfig, readAuth, readSignIn, type SignInConfig } from './auth-config.ts'
import { storedAuthSecret } from './auth-secret.ts'
import { schemaParameter, schemaProblem } from './database-schema.ts'
import { EnvReader } from './env-reader.ts'

/** Default of DOCUMENT_CACHE_MB: MiB of decoded products, some 25,000 with prices in three currencies. */
export const DOCUMENT_CACHE_MB = 96

/** Default of STORE_LANGUAGE. */
export const STORE_LANGUAGE = 'en'

/**
 * Configuration from the environment variables, which the documentation lists with their defaults. It holds secrets:
 * never log it.
 */
export interface Config {
  /** NODE_ENV is `production`: secrets are required and nothing is generated (token.secrets-given-in-production). */
  readonly production: boolean
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** Folder of the embedded database and the generated secret. */
  readonly dataDir: string
  /** Null for the embedded database. */
  readonly databaseUrl: string | null
  /** Standbys of that server, which serve the contents of releases. */
  readonly replicaUrls: readonly string[]
  readonly poolMax: number
  /** Milliseconds, 0 for no timeout. */
  readonly statementTimeoutMs: number
  readonly auth: AuthConfig
  /** Null: pages ask for a token that is pasted in. */
  readonly signIn: SignInConfig | null
  /** Seconds for which the server still takes requests after it was told to stop. */
  readonly drainSeconds: number
  /** Proxies of requests that this server sends. They may hold a password. */
  readonly proxies: Proxies
  /** Origins that browsers may call from; `*` for all. */
  readonly corsOrigins: readonly string[]
  /** Request headers that browsers may send besides those that this server knows. */
  readonly corsHeaders: readonly string[]
  /** Items on a page when the client gives no limit (list.pages-and-links). */
  readonly pageLength: number
  /** Display currency when the client gives none (money.display-currency). */
  readonly defaultCurrency: string
  /** The IANA time zone of whole days and of instants without an offset (value.local-instants-in-store-zone). */
  readonly storeTimeZone: string
  /** The language of texts without a tag (search.store-language). */
  readonly storeLanguage: string
  /** Releases of one catalog that are retained; the latest always is. */
  readonly releasesKept: number
  /** Days for which past prices are kept, for the lowest price before a sale; independent of `releasesKept`. */
  readonly priceHistoryDays: number
  /** Days for which the change log is kept. It limits history, and how long a client may be away from a stream. */
  readonly historyDays: number
  /** Requests of one token within a minute; null for no limit. */
  readonly rateLimit: number | null
  /** GraphQL executes only persisted documents. */
  readonly persistedOnly: boolean
  /** A folder of `.graphql` files or a JSON file with persisted documents. */
  readonly persistedDocuments: string | null
  /** The URL of a file with `{id}` in place of its id; null for none. */
  readonly filesUrl: string | null
  /** The `source` of events that webhooks get: a URI reference. */
  readonly webhookSource: string
  /** Megabytes (MiB) of responses that one process caches; 0 for none. */
  readonly responseCacheMb: number
  /** Megabytes (MiB) of published products that one process keeps decoded. */
  readonly documentCacheMb: number
  /** Seconds for which clients may cache a response; fewer when a price in it changes earlier. */
  readonly cacheMaxAge: number
  /**
   * Whether shared caches, such as a proxy in front, may store what shoppers read of catalogs without a catalog rule.
   */
  readonly cachePublic: boolean
  /** Megabytes (MiB) of a file that is sent to be imported, as it is sent. */
  readonly importMaxMb: number
  readonly logLevel: string
  /** Operations that take at least this many milliseconds are logged as slow; 0 logs none. */
  readonly slowOperationMs: number
  /** The bearer token of /metrics; null for no metrics. */
  readonly metricsToken: string | null
  /** Where traces are sent by OTLP; null for no traces. The SDK reads this variable and its others itself. */
  readonly tracesEndpoint: string | null
}

/** The characters of a bearer token (RFC 6750, 2.1), and a length that is hard to guess. */
const METRICS_TOKEN = /^[\w.~+/=-]{16,}$/
/** The name of a header (RFC 9110, 5.1). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,256}$/
/** A URI reference (RFC 3986), as CloudEvents requires; a per cent sign only before two hexadecimal digits. */
const URI_REFERENCE = /^(?!.*%(?![\da-fA-F]{2}))[\w.~:/?#@!$&'()*+,;=%-]{1,256}$/
/** A language of ISO 639, with subtags (BCP 47). */
const LANGUAGE = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Invalid configuration: one line per problem, without values that may be secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(['The configuration is not usable:', ...problems].join('\n  '))
  }
}

/**
 * Reads the configuration; an empty variable counts as absent. Throws ConfigError with all problems at once.
 * `makeSecret` is the only side effect: outside production it makes a missing AUTH_SECRET in DATA_DIR.
 */
export function loadConfig(
  variables: NodeJS.ProcessEnv,
  makeSecret: (dataDir: string) => string = storedAuthSecret,
): Config {
  const env = new EnvReader(variables)
  const production = env.choice('NODE_ENV', ['development', 'test', 'production'], 'development') === 'production'
  const dataDir = env.text('DATA_DIR') ?? '.data'
  const config = {
    production,
    host: env.text('HOST') ?? '127.0.0.1',
    port: env.integer('PORT', 0, 65_535, 4000),
    dataDir,
    databaseUrl: env.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    replicaUrls: env.urls('DATABASE_REPLICA_URLS', ['postgres:', 'postgresql:']),
    poolMax: env.integer('POOL_MAX', 1, 1_000, 10),
    statementTimeoutMs: env.integer('STATEMENT_TIMEOUT_MS', 0, 3_600_000, 30_000),
    signIn: readSignIn(env),
    drainSeconds: env.integer('DRAIN_SECONDS', 0, 600, 0),
    proxies: { http: env.proxy('HTTP_PROXY'), https: env.proxy('HTTPS_PROXY'), except: env.hosts('NO_PROXY') },
    corsOrigins: env.origins('CORS_ORIGINS'),
    corsHeaders: env.names('CORS_HEADERS', HEADER_NAME, 'names of headers'),
    pageLength: env.integer('PAGE_LENGTH', 1, 100, 25),
    defaultCurrency: env.matching('DEFAULT_CURRENCY', /^[A-Z]{3}$/, 'three uppercase letters') ?? 'USD',
    storeTimeZone: env.timeZone('STORE_TIME_ZONE', 'UTC'),
    storeLanguage: env.matching('STORE_LANGUAGE', LANGUAGE, 'a language tag, such as en or de-CH') ?? STORE_LANGUAGE,
    releasesKept: env.integer('RELEASES_KEPT', 1, 1_000_000, 10),
    priceHistoryDays: env.integer('PRICE_HISTORY_DAYS', 1, 3_650, 40),
    historyDays: env.integer('HISTORY_DAYS', 1, 36_500, 400),
    rateLimit: env.optionalInteger('RATE_LIMIT', 1, 1_000_000_000),
    persistedOnly: env.flag('PERSISTED_ONLY'),
    persistedDocuments: env.text('PERSISTED_DOCUMENTS'),
    filesUrl: env.urlTemplate('FILES_URL', ['https:', 'http:'], '{id}'),
    webhookSource:
      env.matching('WEBHOOK_SOURCE', URI_REFERENCE, 'a URI or a path, at most 256 characters') ?? '/commerce-graph',
    responseCacheMb: env.integer('RESPONSE_CACHE_MB', 0, 65_536, 128),
    documentCacheMb: env.integer('DOCUMENT_CACHE_MB', 1, 65_536, DOCUMENT_CACHE_MB),
    cacheMaxAge: env.integer('CACHE_MAX_AGE', 0, 31_536_000, 1),
    cachePublic: env.flag('CACHE_PUBLIC'),
    importMaxMb: env.integer('IMPORT_MAX_MB', 1, 1_024, 256),
    logLevel: env.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    slowOperationMs: env.integer('SLOW_OPERATION_MS', 0, 3_600_000, 1_000),
    metricsToken: env.matching('METRICS_TOKEN', METRICS_TOKEN, 'at least 16 characters of A-Z a-z 0-9 - . _ ~ + / ='),
    tracesEndpoint:
      env.url('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['http:', 'https:']) ??
      env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
  }
  if (config.replicaUrls.length > 0 && env.text('DATABASE_URL') === null)
    env.problem('DATABASE_REPLICA_URLS', 'needs DATABASE_URL, the primary')
  checkSchemas(env, config)
  const auth = readAuth(env, production)
  if (env.problems.length > 0) throw new ConfigError(env.problems)
  return { ...config, auth: auth.kind === 'secret' ? { ...auth, secret: auth.secret ?? makeSecret(dataDir) } : auth }
}

/** Only DATABASE_URL names the schema of the tables, since the standbys are copies. */
function checkSchemas(env: EnvReader, { databaseUrl, replicaUrls }: Pick<Config, 'databaseUrl' | 'replicaUrls'>): void {
  const problem = databaseUrl === null ? null : schemaProblem(databaseUrl)
  if (problem !== null) env.problem('DATABASE_URL', problem)
  const named = databaseUrl === null ? null : schemaParameter(databaseUrl)
  const others = replicaUrls.map(schemaParameter).filter((schema) => schema !== null && schema !== named)
  if (others.length > 0) env.problem('DATABASE_REPLICA_URLS', 'must name no other ?schema= than DATABASE_URL')
}
