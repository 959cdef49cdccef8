/**
 * Connection timeouts: how long a client may take to send a head and a whole request, and how long a connection stays open between two.
 * Node's own limits begin with the first byte of a request, so a client that sends none is disconnected here.
 */
import type { Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/** The head of a request must have arrived within it: of the first one since the connection was made, of later ones since their first byte. */
export const HEAD_MS = 20_000
/** A whole request must have arrived within it. */
export const REQUEST_MS = 60_000
/** Longer than what balancers keep idle connections for, so that they close first. */
export const KEEP_ALIVE_MS = 65_000
/** How often Node looks for requests that are late. */
const CHECK_MS = 1_000

export interface ConnectionLimits {
  readonly headMs: number
  readonly requestMs: number
  readonly keepAliveMs: number
}

export const connectionLimits: ConnectionLimits = { headMs: HEAD_MS, requestMs: REQUEST_MS, keepAliveMs: KEEP_ALIVE_MS }

export function timeoutOptions({ headMs, requestMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  const connectionsCheckingInterval = Math.min(CHECK_MS, headMs / 4)
  return { headersTimeout: headMs, requestTimeout: requestMs, keepAliveTimeout: keepAliveMs, connectionsCheckingInterval }
}

/** Disconnects a client whose first head is late: without a word when it never sent a byte, else as Node does, with 408. */
export function limitFirstHead(server: Server, { headMs }: ConnectionLimits): void {
  const waiting = new WeakMap<Socket, NodeJS.Timeout>()
  const arrived = (socket: Socket): void => {
    clearTimeout(waiting.get(socket))
    waiting.delete(socket)
  }
  server.on('connection', (socket) => {
    const disconnect = (): void => {
      if (socket.bytesRead === 0) socket.destroy()
      else server.emit('clientError', Object.assign(new Error('the head is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
    }
    waiting.set(socket, setTimeout(disconnect, headMs).unref())
    socket.once('close', () => arrived(socket))
  })
  server.on('request', ({ socket }) => arrived(socket))
}
