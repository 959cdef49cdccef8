/**
 * Bodies of very many values, as long as a body may be, many at once: what comes of them, and of other requests
 * meanwhile.
 */
import { readFileSync } from 'node:fs'
import { KEYS_MAX } from '../../src/request/long-bodies.ts'
import { jsonHeaders } from './http.ts'
import { percentile99, shown, startProbe } from './probe.ts'
import type { Running } from './program.ts'

const AT_ONCE = 30
/** Bytes of a body of /graphql, of the facade, and where no token is needed. */
const GRAPHQL_BYTES = 8 * 1024 * 1024
const FACADE_BYTES = 1024 * 1024
const TOKEN_BYTES = 16 * 1024

/** A body of `bytes` at most: `before` and `after` around items, each made of its number. */
function filled(bytes: number, before: string, after: string, item: (index: number) => string): string {
  const items: string[] = []
  let length = before.length + after.length
  for (let index = 0; ; index++) {
    const text = item(index)
    length += text.length + 1
    if (length > bytes) return `${before}${items.join(',')}${after}`
    items.push(text)
  }
}

interface Kind {
  readonly path: string
  readonly body: string
  readonly role: 'admin' | 'shopper' | null
  /** The statuses that are right, besides 503. */
  readonly statuses: readonly number[]
}

/** An object of as many different keys as a body may have besides its own. */
const widest = `{${Array.from({ length: KEYS_MAX - 10 }, (_, index) => `"k${index}":"${'x'.repeat(50)}"`).join(',')}}`

/** The kinds, made one after another: each is megabytes. */
const kinds: Readonly<Record<string, () => Kind>> = {
  'fractions of a shopper': () => graphql('shopper', '[', ']', () => '1.5', 400),
  'different keys of a shopper': () => graphql('shopper', '[', ']', (index) => `{"k${index}":1}`, 400),
  'different keys of an administrator': () => graphql('admin', '[', ']', (index) => `{"k${index}":1}`, 400),
  // Nearly 250,000 values and 10,000 keys, the most that are taken.
  'different keys that are taken': () =>
    graphql('admin', '[', ']', (index) => (index < 12 ? widest : 'x'.repeat(GRAPHQL_BYTES)), 200),
  'a long text': () => graphql('shopper', '"', '"', () => '\\u0041'.repeat(1_000), 200),
  'a long number': () => ({ ...graphql('shopper', '', '', () => '', 400), body: longNumber() }),
  'fractions for the facade': () => ({
    path: '/v2/subscriptions/subscriptions?filter=eq(id,1)',
    body: filled(FACADE_BYTES, '{"data":[', ']}', () => '1.5'),
    role: 'admin',
    statuses: [400],
  }),
  'fractions for a token': () => token(FACADE_BYTES, 413),
  'fractions for a token within its limit': () => token(TOKEN_BYTES, 422),
}

function graphql(
  role: 'admin' | 'shopper',
  open: string,
  close: string,
  item: (index: number) => string,
  status: number,
): Kind {
  const body = filled(GRAPHQL_BYTES, `{"query":"{__typename}","variables":{"u":${open}`, `${close}}}`, item)
  return { path: '/graphql', body, role, statuses: [status] }
}

function longNumber(): string {
  return `{"query":"{__typename}","variables":{"u":0.${'0'.repeat(GRAPHQL_BYTES - 60)}1}}`
}

function token(bytes: number, status: number): Kind {
  return {
    path: '/oauth/access_token',
    body: filled(bytes, '{"data":[', ']}', () => '1.5'),
    role: null,
    statuses: [status],
  }
}

/**
 * Sends each kind AT_ONCE times at once, `rounds` times. Returns what is wrong; `healthMax` bounds the p99 of /health,
 * in milliseconds.
 */
export async function manyValues(
  server: Running,
  progress: (line: string) => void,
  healthMax = Number.POSITIVE_INFINITY,
  rounds = 1,
): Promise<string[]> {
  const broken: string[] = []
  for (const [name, make] of Object.entries(kinds)) {
    const { path, body, role, statuses } = make()
    const bytes = Buffer.from(body)
    const headers = { 'content-type': 'application/json', ...(role && jsonHeaders(server[role])) }
    const counts: Record<string, number> = {}
    const probe = startProbe({ url: `${server.base}/health`, isFresh: true })
    const send = async (): Promise<void> => {
      const { status, text } = await server.client.send({ method: 'POST', path, headers, body: bytes })
      counts[status] = (counts[status] ?? 0) + 1
      if (![...statuses, 503].includes(status)) broken.push(`${name}: ${status} ${text.slice(0, 200)}`)
    }
    for (let round = 0; round < rounds; round++) {
      const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, send))
      for (const one of ended) if (one.status === 'rejected') broken.push(`${name}: ${one.reason}`)
    }
    const { times, failure } = await probe.stop()
    if (failure) broken.push(`${name}: /health ${failure}`)
    const peak =
      Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024
    progress(
      `${AT_ONCE} at once, ${rounds} times, ${name}: ${JSON.stringify(counts)}; /health ${shown(times)}; ${peak.toFixed(0)} MiB at most so far`,
    )
    const p99 = percentile99(times)
    if (!(p99 <= healthMax)) broken.push(`${name}: /health took ${p99.toFixed(0)} ms (p99)`)
  }
  return broken
}
