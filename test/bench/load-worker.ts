/** The process that load.ts starts: one autocannon run, whose options and result are messages. */
import autocannon from 'autocannon'
import type { Load } from './load.ts'

/**
 * Connections are opened in it, which is no part of what is measured: Node takes one of them in each turn of its event
 * loop.
 */
const OPENING_MS = 1_000
/** Seconds; for a number of requests, which is asked for where responses take long. */
const SLOW_TIMEOUT = 300

process.once('message', async (message) => {
  const { url, connections, seconds, requests, amount } = message as Load
  const latencies: number[] = []
  const next = () => requests[Math.floor(Math.random() * requests.length)] as Load['requests'][number]
  const [only] = requests
  const instance = autocannon({
    url,
    connections,
    duration: seconds + OPENING_MS / 1000,
    ...(amount ? { amount, timeout: SLOW_TIMEOUT } : {}),
    requests: [
      requests.length === 1 && only
        ? { ...only, headers: { ...only.headers } }
        : { setupRequest: (request) => ({ ...request, ...next() }) },
    ],
  })
  // Its own histogram counts whole milliseconds.
  const begun = performance.now()
  instance.on('response', (_client, _status, _bytes, milliseconds) => {
    if (amount || performance.now() - begun >= OPENING_MS) latencies.push(milliseconds)
  })
  const result = await instance
  latencies.sort((left, right) => left - right)
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  const failed = result.non2xx + result.errors + result.timeouts
  const measured = result.duration - (amount ? 0 : OPENING_MS / 1000)
  process.send?.({ perSecond: latencies.length / measured, p50: at(0.5), p99: at(0.99), failed })
})
