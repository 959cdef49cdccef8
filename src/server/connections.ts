/**
 * Connection timeouts: how long a client may take to send a head and a body, and how long a connection stays open
 * between two requests. Node's own limits begin anew with the first byte of a request, so the limit of the first head
 * is kept here; they are the same for all requests, so that of bodies is kept here, too.
 */
import type { IncomingMessage, Server, ServerOptions } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Milliseconds for the head of a request. They begin with the connection for the first head, and with the first byte
 * for later ones.
 */
export const HEAD_MS = 20_000
/** Milliseconds from a head to the end of its body. */
export const BODY_MS = 60_000
/** Milliseconds without a byte of a file, which may take any time as a whole. */
export const FILE_SILENT_MS = 60_000
/**
 * Milliseconds that an idle connection stays open. Load balancers close it earlier, so no request meets a connection
 * that is closing.
 */
export const KEEP_ALIVE_MS = 65_000
/** Milliseconds between checks for late heads, and for late bodies. */
const CHECK_MS = 1_000
/** Node's error of a late head, and ours of a late body. */
const LATE = 'ERR_HTTP_REQUEST_TIMEOUT'

/** Timeouts of connections, in milliseconds. */
export interface ConnectionLimits {
  readonly headMs: number
  readonly bodyMs: number
  readonly fileSilentMs: number
  readonly keepAliveMs: number
}

/** The timeouts in production. */
export const connectionLimits: ConnectionLimits = {
  headMs: HEAD_MS,
  bodyMs: BODY_MS,
  fileSilentMs: FILE_SILENT_MS,
  keepAliveMs: KEEP_ALIVE_MS,
}

/** The timeouts as options of node:http's createServer; those of bodies are kept by `limitBody`. */
export function timeoutOptions({ headMs, keepAliveMs }: ConnectionLimits): ServerOptions {
  const connectionsCheckingInterval = Math.min(CHECK_MS, headMs / 4)
  return {
    headersTimeout: headMs,
    requestTimeout: 0,
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
      server.emit('clientError', Object.assign(new Error('the head is late'), { code: LATE }), socket)
    }
    waiting.set(socket, setTimeout(disconnect, headMs).unref())
    socket.once('close', () => arrived(socket))
  })
  server.on('request', ({ socket }) => arrived(socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== LATE || !waiting.has(socket)) respond(error, socket)
    else setImmediate(() => waiting.has(socket) && respond(error, socket))
  })
}

/**
 * Disconnects a client whose body is late, with 408: all of it must arrive within `bodyMs`, or, while `isFile` says so,
 * only the next byte within `fileSilentMs`, not counting the time for which bytes wait here. Returns a function for the
 * end of the response, which spares the checks of a body that has arrived.
 */
export function limitBody(
  server: Server,
  req: IncomingMessage,
  { bodyMs, fileSilentMs }: ConnectionLimits,
  isFile: () => boolean,
): () => void {
  const { headers, socket } = req
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return () => undefined
  const checkMs = Math.min(CHECK_MS, bodyMs / 4, fileSilentMs / 4)
  const start = performance.now()
  let heardAt = start
  let bytes = socket.bytesRead
  const isLate = (): boolean => {
    const now = performance.now()
    if (socket.bytesRead !== bytes || req.readableLength > 0) heardAt = now
    bytes = socket.bytesRead
    return isFile() ? now - heardAt >= fileSilentMs : now - start >= bodyMs
  }
  const check = (): void => {
    if (req.complete || socket.destroyed) return
    if (!isLate()) timer = setTimeout(check, checkMs).unref()
    // After a pause of the process arrived bytes are read first, as for heads.
    else setImmediate(() => (isLate() && !req.complete ? end() : check()))
  }
  const end = (): void => {
    server.emit('clientError', Object.assign(new Error('the body is late'), { code: LATE }), socket)
  }
  let timer = setTimeout(check, checkMs).unref()
  return () => {
    if (req.complete) clearTimeout(timer)
  }
}
