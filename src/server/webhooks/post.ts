/**
 * Posts to webhooks: one request to an address that a client chose. It must neither reach this network nor hold this
 * server up.
 */
import { type Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { OutgoingAgents, type OutgoingOptions, ProxyError } from '../../lib/outgoing-agents.ts'
import { mayBePublic, NotPublicError } from '../../lib/public-address.ts'
import { CLAIM_MS } from '../../persistence/changes/webhook-queue.ts'

/**
 * Milliseconds for the head of a response, and for all of it: half the time of a claim, so that the claim outlasts the
 * attempt.
 */
export const TIMEOUT_MS = CLAIM_MS / 2
const LATE = `no response within ${TIMEOUT_MS / 1_000} seconds`
/**
 * Bytes of a response that are read so that its connection can be used again. A longer response closes its connection.
 */
const RESPONSE_BODY_MAX = 4 * 1024
/** The errors of a message whose connection the receiver had closed. */
const CUT: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE'])

/** A message to post: an event of a webhook with the headers that sign it. */
export interface Message {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * Posts a message. Null when a status from 200 to 299 acknowledged it; otherwise why not, in words without any secret.
 */
export type Post = (message: Message, signal: AbortSignal) => Promise<string | null>

/** A Post over connections of its own, which `close` closes. */
export interface Poster {
  readonly post: Post
  readonly close: () => void
}

/**
 * Creates a Poster. With `publicOnly` it connects only to public addresses (webhook.public-addresses-only). It checks
 * the address that a name resolves to at each connection, through a proxy too, so a name can't lead elsewhere later.
 * Redirects are not followed.
 */
export function createPoster({ publicOnly = false, proxies }: OutgoingOptions): Poster {
  const agents = new OutgoingAgents({ publicOnly, proxies })
  const post: Post = async ({ url, headers, body }, signal) => {
    const address = new URL(url)
    // The webhook may have been stored before the server ran in production.
    if (publicOnly && address.protocol !== 'https:') return 'the address does not begin with https://'
    try {
      // Node looks up only names.
      if (publicOnly && !mayBePublic(address.hostname)) throw new NotPublicError()
      const status = await sendMessage({ url, headers, body }, agents.for(address), signal)
      return status >= 200 && status < 300 ? null : `responded with status ${status}`
    } catch (error) {
      return reasonOf(error)
    }
  }
  return { post, close: () => agents.close() }
}

/**
 * Resolves to the status of the response once its body has ended or is cut off, so that a webhook has no more
 * connections than attempts in flight. A timer ends the attempt, since Node 20 forgets AbortSignal.timeout within
 * AbortSignal.any on a garbage collection.
 *
 * A receiver may close a kept connection just when a message is sent on it; then the message is sent again at once.
 * This ends: each such failure uses up a kept connection, and a connection that was made for the message is not tried
 * twice.
 */
function sendMessage({ url, headers, body }: Message, agent: Agent, stopping: AbortSignal): Promise<number> {
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const sent = { ...headers, 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    let req: ClientRequest
    // A request that waits for a proxy has no socket, and does not report that it was aborted.
    const giveUp = (error?: Error): void => {
      const waits = req.socket === null
      req.destroy(error)
      if (waits && error) req.emit('error', error)
      if (waits) req.emit('close')
    }
    const stop = () => giveUp()
    const timer = setTimeout(() => giveUp(new Error(LATE)), TIMEOUT_MS)
    const send = (): void => {
      let status: number | undefined
      // After a response that switches protocols, Node reports neither a response nor an error.
      let failure: NodeJS.ErrnoException = Object.assign(new Error('closed'), { code: 'ECONNRESET' })
      req = request(new URL(url), { method: 'POST', headers: sent, agent }, (res) => {
        status = res.statusCode
        drain(res)
      })
      req.on('error', (error) => {
        failure = error
      })
      req.on('close', () => {
        const isCut = status === undefined && CUT.has(failure.code)
        if (isCut && req.reusedSocket && !stopping.aborted) return send()
        clearTimeout(timer)
        stopping.removeEventListener('abort', stop)
        if (status === undefined) reject(failure)
        else resolve(status)
      })
      req.end(body)
    }
    send()
    stopping.addEventListener('abort', stop)
    if (stopping.aborted) stop()
  })
}

/** Reads the rest of a response up to a limit. The request's timer ends one that never ends. */
function drain(res: IncomingMessage): void {
  let read = 0
  res.on('error', () => undefined)
  res.on('data', (chunk: Buffer) => {
    read += chunk.length
    if (read > RESPONSE_BODY_MAX) res.destroy()
  })
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === LATE || error instanceof ProxyError || error instanceof NotPublicError) return message
  return `the request failed: ${code ?? 'for an unknown reason'}`
}
