/**
 * Connection timeouts: how long a client may take to send a head and a whole request, and how long a connection stays
 * open between two requests. Node's own limits begin anew with the first byte of a request, so the limit of the first
 * head is kept here.
 */
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Milliseconds for the head of a request. They begin with the connection for the first head, and with the first byte
 * for later ones.
 */
export const HEAD_MS = 20_000
/** Milliseconds for a whole request. */
export const REQUEST_MS = 60_000
/**
 * Milliseconds that an idle connection stays open. Load balancers close it earlier, so no request meets a connection
 * that is closing.
 */
export const KEEP_ALIVE_MS = 65_000
/** Milliseconds between Node's checks for late requests. */
const CHECK_MS = 1_000

/** Timeouts of connections, in milliseconds. */
export interface ConnectionLimits {
  readonly headMs: number
  readonly requestMs: number
  readonly keepAliveMs: number
}

/** The timeouts in production. */
export const connectionLimits: ConnectionLimits = { headMs: HEAD_MS, requestMs: REQUEST_MS, keepAliveMs: KEEP_ALIVE_MS }

/** The timeouts as options of node:http's createServer. */
export function timeoutOptions({ headMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  const connectionsCheckingInterval = Math.min(CHECK_MS, headMs / 4)
  return {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval,
  }
}

/**
 * Disconnects a client whose first head is late: with 408 as Node does, or without a response when it never sent a
 * byte. `respond` gets each `clientError`. After a pause of the process timers run before arrived bytes are read, so
 * these are read before a head counts as late.
 */
export function limitFirstHead(
  server: Server,
  { headMs }: ConnectionLimits,
  respond: (error: Error, socket: Socket) => void,
): void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>()
  const arrived = (socket: Socket): void => {
    clearTimeout(waiting.get(socket))
    waiting.delete(socket)
  }
  server.on('connection', (socket) => {
    const disconnect = (): void => {
      server.emit(
        'clientError',
        Object.assign(new Error('the head is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        socket,
      )
    }
    waiting.set(socket, setTimeout(disconnect, headMs).unref())
    socket.once('close', () => arrived(socket))
  })
  server.on('request', ({ socket }) => arrived(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !waiting.has(socket)) respond(error, socket)
    else setImmediate(() => waiting.has(socket) && respond(error, socket))
  })
}
