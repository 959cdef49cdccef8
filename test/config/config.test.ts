import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defaultClaims } from '../../src/config/auth-config.ts'
import { ConfigError, loadConfig } from '../../src/config/config.ts'
import { configProblems } from '../support/config-problems.ts'

const load = (env: NodeJS.ProcessEnv) => loadConfig(env, () => 'made')

const secret = 's'.repeat(32)

describe('loadConfig', () => {
  it('the configuration has a default for everything outside production, and reads empty variables as absent', () => {
    const defaults = {
      production: false,
      host: '127.0.0.1',
      port: 4000,
      dataDir: '.data',
      databaseUrl: null,
      replicaUrls: [],
      poolMax: 10,
      statementTimeoutMs: 30_000,
      auth: {
        kind: 'secret',
        secret: 'made',
        clientId: 'demo',
        clientSecret: 'demo-secret',
        issuer: null,
        audience: null,
        claims: defaultClaims,
      },
      signIn: null,
      drainSeconds: 0,
      proxies: { http: null, https: null, except: [] },
      corsOrigins: [],
      corsHeaders: [],
      pageLength: 25,
      defaultCurrency: 'USD',
      storeTimeZone: 'UTC',
      storeLanguage: 'en',
      releasesKept: 10,
      priceHistoryDays: 40,
      historyDays: 400,
      importMaxMb: 256,
      rateLimit: null,
      persistedOnly: false,
      persistedDocuments: null,
      filesUrl: null,
      webhookSource: '/commerce-graph',
      responseCacheMb: 128,
      documentCacheMb: 96,
      cacheMaxAge: 1,
      cachePublic: false,
      logLevel: 'info',
      slowOperationMs: 1000,
      metricsToken: null,
      tracesEndpoint: null,
    }
    expect(load({})).toEqual(defaults)
    expect(load({ PORT: '', AUTH_JWKS_URL: ' ', DATABASE_URL: '' })).toEqual(defaults)
  })

  it('the configuration reads every variable', () => {
    expect(
      load({
        NODE_ENV: 'production',
        HOST: '0.0.0.0',
        PORT: '0',
        DATA_DIR: '/data',
        DATABASE_URL: 'postgresql://u:p@db/shop',
        DATABASE_REPLICA_URLS: 'postgres://u:p@one/shop, postgresql://u:p@two/shop',
        POOL_MAX: '3',
        STATEMENT_TIMEOUT_MS: '0',
        AUTH_SECRET: secret,
        AUTH_ISSUER: 'me',
        AUTH_AUDIENCE: 'shop',
        CLIENT_ID: 'c',
        CLIENT_SECRET: 'cs',
        AUTH_ROLE_CLAIM: 'realm_access.roles',
        AUTH_ACCOUNT_CLAIM: 'https://shop.example/account',
        AUTH_CHANNEL_CLAIM: 'shop.channel',
        AUTH_TAGS_CLAIM: 'groups',
        AUTH_ADMIN_ROLES: 'shop-admin, owner',
        DRAIN_SECONDS: '5',
        HTTP_PROXY: 'http://proxy:3128',
        HTTPS_PROXY: 'https://u:p@proxy:3129',
        NO_PROXY: 'localhost, .shop.example 10.0.0.0/8',
        CORS_ORIGINS: 'https://a.example, http://localhost:3000',
        CORS_HEADERS: 'X-Shop, x-b3-traceid',
        PAGE_LENGTH: '100',
        DEFAULT_CURRENCY: 'EUR',
        STORE_TIME_ZONE: 'Europe/Berlin',
        STORE_LANGUAGE: 'de-CH',
        RELEASES_KEPT: '1',
        PRICE_HISTORY_DAYS: '90',
        HISTORY_DAYS: '30',
        IMPORT_MAX_MB: '64',
        RATE_LIMIT: '60',
        PERSISTED_DOCUMENTS: '/documents',
        PERSISTED_ONLY: 'true',
        FILES_URL: 'http://localhost:9000/{id}',
        WEBHOOK_SOURCE: 'https://shop.example/events',
        RESPONSE_CACHE_MB: '512',
        DOCUMENT_CACHE_MB: '400',
        CACHE_MAX_AGE: '0',
        CACHE_PUBLIC: 'true',
        LOG_LEVEL: 'silent',
        SLOW_OPERATION_MS: '0',
        METRICS_TOKEN: 'sixteen-letters.',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      }),
    ).toEqual({
      production: true,
      host: '0.0.0.0',
      port: 0,
      dataDir: '/data',
      databaseUrl: 'postgresql://u:p@db/shop',
      replicaUrls: ['postgres://u:p@one/shop', 'postgresql://u:p@two/shop'],
      poolMax: 3,
      statementTimeoutMs: 0,
      auth: {
        kind: 'secret',
        secret,
        clientId: 'c',
        clientSecret: 'cs',
        issuer: 'me',
        audience: 'shop',
        claims: {
          role: 'realm_access.roles',
          account: 'https://shop.example/account',
          channel: 'shop.channel',
          tags: 'groups',
          adminRoles: ['shop-admin', 'owner'],
          areProviderRoles: true,
        },
      },
      signIn: null,
      drainSeconds: 5,
      proxies: {
        http: 'http://proxy:3128',
        https: 'https://u:p@proxy:3129',
        except: ['localhost', '.shop.example', '10.0.0.0/8'],
      },
      corsOrigins: ['https://a.example', 'http://localhost:3000'],
      corsHeaders: ['X-Shop', 'x-b3-traceid'],
      pageLength: 100,
      defaultCurrency: 'EUR',
      storeTimeZone: 'Europe/Berlin',
      storeLanguage: 'de-CH',
      releasesKept: 1,
      priceHistoryDays: 90,
      historyDays: 30,
      importMaxMb: 64,
      rateLimit: 60,
      persistedOnly: true,
      persistedDocuments: '/documents',
      filesUrl: 'http://localhost:9000/{id}',
      webhookSource: 'https://shop.example/events',
      responseCacheMb: 512,
      documentCacheMb: 400,
      cacheMaxAge: 0,
      cachePublic: true,
      logLevel: 'silent',
      slowOperationMs: 0,
      metricsToken: 'sixteen-letters.',
      tracesEndpoint: 'http://collector:4318',
    })
  })

  it('the configuration reports every problem at once and repeats no secret', () => {
    const found = configProblems({
      PORT: '65536',
      POOL_MAX: '0',
      DATABASE_URL: 'mysql://root:hunter2@db',
      DATABASE_REPLICA_URLS: 'postgres://db, mysql://root:hunter2@db',
      AUTH_SECRET: 'hunter2',
      LOG_LEVEL: 'loud',
      CORS_ORIGINS: 'https://a.example/path',
    })
    expect(found).toEqual([
      'PORT must be a whole number from 0 to 65535',
      'DATABASE_URL must be an absolute URL that begins with postgres:// or postgresql://',
      'DATABASE_REPLICA_URLS must be absolute URLs that begin with postgres:// or postgresql://, separated by commas',
      'POOL_MAX must be a whole number from 1 to 1000',
      'CORS_ORIGINS holds "https://a.example/path", which is not an origin such as https://shop.example',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
      'AUTH_SECRET must be at least 32 bytes',
    ])
    expect(new ConfigError(found).message).not.toContain('hunter2')
  })

  it.each([
    ['PORT', ['0', '65535'], ['-1', '65536', '1.5', '0x10', 'http']],
    ['POOL_MAX', ['1', '1000'], ['0', '1001']],
    ['STATEMENT_TIMEOUT_MS', ['0', '3600000'], ['-1', '3600001']],
    ['PAGE_LENGTH', ['1', '100'], ['0', '101']],
    ['RELEASES_KEPT', ['1', '1000000'], ['0', '1000001']],
    ['PRICE_HISTORY_DAYS', ['1', '3650'], ['0', '3651']],
    ['HISTORY_DAYS', ['1', '36500'], ['0', '36501']],
    ['IMPORT_MAX_MB', ['1', '1024'], ['0', '0.5', '1025']],
    ['RESPONSE_CACHE_MB', ['0', '65536'], ['-1', '0.5', '65537']],
    ['DOCUMENT_CACHE_MB', ['1', '65536'], ['0', '0.5', '65537']],
    ['CACHE_MAX_AGE', ['0', '31536000'], ['-1', '0.5', '31536001']],
    ['RATE_LIMIT', ['1', '1000000000'], ['0', '1000000001']],
    ['DEFAULT_CURRENCY', ['EUR'], ['eur', 'EURO', 'EU']],
    ['STORE_TIME_ZONE', ['UTC', 'America/Argentina/Buenos_Aires'], ['Europe/Berlim', '+02:00', 'Z']],
    ['STORE_LANGUAGE', ['en', 'de-CH', 'zh-Hant-TW'], ['german', 'e', 'de_CH', 'de,en']],
    ['SLOW_OPERATION_MS', ['0', '3600000'], ['-1', '3600001']],
    ['METRICS_TOKEN', ['sixteen-letters.'], ['fifteen-letters', 'sixteen letters!']],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['https://collector.example/otlp'], ['collector:4318', 'grpc://collector']],
    ['PERSISTED_ONLY', ['true', '0'], ['yes']],
    ['CACHE_PUBLIC', ['true', '0'], ['yes']],
    ['NODE_ENV', ['test', 'development'], ['prod']],
    ['AUTH_SECRET', ['s'.repeat(32), 'é'.repeat(16)], ['s'.repeat(31)]],
    [
      'FILES_URL',
      ['https://a.example/{id}', 'http://{id}.a.example/?of={id}'],
      [
        'https://a.example/id',
        '/{id}',
        'ftp://a/{id}',
        '{id}',
        'https://a.example/my files/{id}',
        'https:/a.example/{id}',
      ],
    ],
    [
      'DATABASE_URL',
      [
        'postgres://db',
        'postgresql:///shop?host=/run/postgresql',
        'postgres://u:p@/shop?host=/run/postgresql',
        'POSTGRES://u@[::1]:5432/shop',
      ],
      ['postgres:/run/postgresql', 'postgres://u:p/q@/shop', 'db:5432/shop'],
    ],
    ['DATABASE_REPLICA_URLS', [''], ['postgres://db/shop', ',']],
    ['WEBHOOK_SOURCE', ['/a%20b', 'urn:shop'], ['%zz', '/100%', 'a b']],
    ['CORS_ORIGINS', ['*', 'https://a.example:8443'], ['a.example', 'https://a.example/', ',']],
    ['CORS_HEADERS', ['x-shop', 'X-Shop,X-Other'], ['x shop', 'x:shop', 'x\r\ny', 'é', ',']],
    ['DRAIN_SECONDS', ['0', '600'], ['-1', '0.5', '601']],
    [
      'HTTPS_PROXY',
      ['http://proxy', 'https://u:p%40@proxy:1', 'proxy:3128'],
      ['socks5://proxy', 'http://', 'http://u:p%zz@proxy'],
    ],
    ['http_proxy', ['http://[::1]:3128'], ['ftp://proxy']],
    [
      'AUTH_ROLE_CLAIM',
      ['realm_access.roles', 'https://shop.example/role'],
      ['a"b', 'a b', 'a\\b', 'é', 'r'.repeat(257), 'sub', 'account_id'],
    ],
    ['AUTH_ACCOUNT_CLAIM', ['account', 'a'.repeat(256)], ['a\nb', 'exp', 'role']],
    ['AUTH_CHANNEL_CLAIM', ['shop.channel'], ['a b', 'sub', 'role', 'account_id', 'context_tags']],
    ['AUTH_TAGS_CLAIM', ['https://shop.example/tags'], ['"', 'exp', 'role', 'account_id', 'channel']],
    ['AUTH_ADMIN_ROLES', ['owner', 'admin,owner'], [',', 'owner,shopper']],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', ['https://collector.example/v1/traces'], ['collector:4318']],
  ])('the configuration accepts %s within its limits and rejects it beyond them', (name, good, bad) => {
    for (const value of good) expect(configProblems({ [name]: value })).toEqual([])
    for (const value of bad) expect(configProblems({ [name]: value })).toHaveLength(1)
  })

  it('the configuration gives a PostgreSQL URL without a host, of a socket, one that pg replaces by the parameter', () => {
    const urls = {
      DATABASE_URL: 'postgres://u:p@/shop?host=/run/one',
      DATABASE_REPLICA_URLS: 'postgresql://u@/shop?host=/run/two',
    }
    expect(load(urls)).toMatchObject({
      databaseUrl: 'postgres://u:p@localhost/shop?host=/run/one',
      replicaUrls: ['postgresql://u@localhost/shop?host=/run/two'],
    })
  })

  it('the configuration reads proxies in lower case first, as other programs do, and repeats no password', () => {
    const given = { https_proxy: 'lower:1', HTTPS_PROXY: 'http://upper:1', NO_PROXY: 'upper', no_proxy: 'lower,lowest' }
    expect(load(given).proxies).toEqual({ http: null, https: 'http://lower:1', except: ['lower', 'lowest'] })
    expect(configProblems({ HTTP_PROXY: 'socks5://root:hunter2@proxy' })).toEqual([
      'HTTP_PROXY must be the URL of a proxy that begins with http:// or https://',
    ])
  })

  it("token.account-from-claim: the account may be the provider's sub, which tokens of this server have for another purpose", () => {
    expect(configProblems({ AUTH_JWKS_URL: 'https://id.example/keys', AUTH_ACCOUNT_CLAIM: 'sub' })).toEqual([])
    expect(configProblems({ AUTH_ACCOUNT_CLAIM: 'sub' })).toEqual([
      'AUTH_ACCOUNT_CLAIM must not be sub, unless AUTH_JWKS_URL is given',
    ])
  })

  it("token.context-from-claims: the tags may be the provider's roles, which a token of this server has in another claim", () => {
    const given = { AUTH_ROLE_CLAIM: 'groups', AUTH_TAGS_CLAIM: 'groups' }
    expect(configProblems({ AUTH_JWKS_URL: 'https://id.example/keys', ...given })).toEqual([])
    expect(configProblems(given)).toEqual([
      'AUTH_TAGS_CLAIM must be another claim than that of AUTH_ROLE_CLAIM, unless AUTH_JWKS_URL is given',
    ])
  })

  it('the configuration takes standbys only beside a primary', () => {
    expect(configProblems({ DATABASE_REPLICA_URLS: 'postgres://db/shop' })).toEqual([
      'DATABASE_REPLICA_URLS needs DATABASE_URL, the primary',
    ])
  })

  it.each([
    '?schema=',
    '?schema=pg_shop',
    '?schema=information_schema',
    '?schema=a%22b',
    '?schema=a%0Ab',
    '?schema=a%00',
    `?schema=${'é'.repeat(32)}`,
  ])('the configuration refuses %s, which cannot name a schema', (query) => {
    expect(configProblems({ DATABASE_URL: `postgres://u:hush@db/shop${query}` })).toEqual([
      'DATABASE_URL needs as ?schema= a name of 1 to 63 bytes without quotation marks and control characters that does not begin with pg_',
    ])
  })

  it('the configuration refuses a second ?schema=, and another one for standbys', () => {
    expect(configProblems({ DATABASE_URL: 'postgres://db/shop?schema=a&schema=b' })).toEqual([
      'DATABASE_URL names more than one ?schema=',
    ])
    const replica = (DATABASE_REPLICA_URLS: string, DATABASE_URL = 'postgres://db/shop?schema=a') =>
      configProblems({ DATABASE_URL, DATABASE_REPLICA_URLS })
    const other = ['DATABASE_REPLICA_URLS must name no other ?schema= than DATABASE_URL']
    expect(replica('postgres://one/shop?schema=a,postgres://two/shop')).toEqual([])
    expect(replica('postgres://one/shop?schema=a,postgres://two/shop?schema=b')).toEqual(other)
    expect(replica('postgres://one/shop?schema=a', 'postgres://db/shop')).toEqual(other)
  })

  it.each(['Shop-1', 'public', "it's", 'a, b', 'x'.repeat(63), 'pgshop'])(
    'the configuration takes the schema %j',
    (schema) => {
      expect(
        configProblems({ DATABASE_URL: `postgres://db/shop?schema=${encodeURIComponent(schema)}&sslmode=disable` }),
      ).toEqual([])
    },
  )

  it('token.secrets-given-in-production: the configuration requires the three secrets in production, and reports all missing ones at once', () => {
    expect(configProblems({ NODE_ENV: 'production' })).toEqual(
      ['AUTH_SECRET', 'CLIENT_ID', 'CLIENT_SECRET'].map(
        (name) => `${name} must be given in production, unless AUTH_JWKS_URL is`,
      ),
    )
    expect(configProblems({ NODE_ENV: 'production', AUTH_SECRET: secret, CLIENT_ID: 'c', CLIENT_SECRET: 's' })).toEqual(
      [],
    )
  })

  it("token.secrets-given-in-production: the configuration rejects the demo's secret in production, without repeating it", () => {
    const given = { AUTH_SECRET: secret, CLIENT_ID: 'demo', CLIENT_SECRET: 'demo-secret' }
    expect(configProblems({ NODE_ENV: 'production', ...given })).toEqual([
      'CLIENT_SECRET must not be the one of the demo in production',
    ])
    expect(configProblems(given)).toEqual([])
  })

  it('token.issued-with-own-secret: the configuration requires no secret with AUTH_JWKS_URL, makes none, and has none', () => {
    const auth = {
      kind: 'jwks',
      url: 'https://id.example/keys',
      issuer: 'https://id.example',
      audience: null,
      claims: defaultClaims,
    }
    const env = { AUTH_JWKS_URL: auth.url, AUTH_ISSUER: auth.issuer, AUTH_SECRET: secret }
    for (const NODE_ENV of ['production', 'development']) {
      expect(loadConfig({ ...env, NODE_ENV }, () => expect.fail('no secret is needed')).auth).toEqual(auth)
    }
    expect(configProblems({ NODE_ENV: 'production', AUTH_JWKS_URL: 'keys' })).toEqual([
      'AUTH_JWKS_URL must be an absolute URL that begins with https:// or http://',
    ])
    // fetch refuses a URL with a password, and its error, which is logged, shows it.
    expect(configProblems({ AUTH_JWKS_URL: 'https://u:p@id.example/keys' })).toEqual([
      'AUTH_JWKS_URL must be without a user and a password',
    ])
  })
})

describe('the generated secret', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), 'secret-')), 'data')
  })
  afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

  it('token.secret-made-once: the generated secret is made once and stored in DATA_DIR for its owner only', () => {
    const { auth } = loadConfig({ DATA_DIR: dataDir })
    expect(auth).toMatchObject({ kind: 'secret', secret: expect.stringMatching(/^[\w-]{64}$/) })
    expect(loadConfig({ DATA_DIR: dataDir }).auth).toEqual(auth)
    expect(statSync(join(dataDir, 'auth-secret')).mode & 0o777).toBe(0o600)
    expect(auth).toMatchObject({ secret: readFileSync(join(dataDir, 'auth-secret'), 'utf8').trim() })
  })

  it('the generated secret is not made for an invalid configuration', () => {
    expect(() => loadConfig({ DATA_DIR: dataDir, PORT: 'x' })).toThrow(ConfigError)
    expect(statSync(dataDir, { throwIfNoEntry: false })).toBeUndefined()
  })
})
