/**
 * Malformed HTTP: responses to what Node's parser refuses before there is a request. They carry the `errors` array of
 * every failure (http.every-failure-has-errors), and the connection is closed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Failure, failure, failures } from '../rest/http/errors.ts'

/** Milliseconds that a client may go on sending, unread, so that the response is not lost in a connection reset. */
const LINGER_MS = 1_000

/** The code of a CONNECT request, beside Node's codes. */
const CONNECT = 'CONNECT'
const METHODS = 'GET, HEAD, POST, PUT, OPTIONS'

const handled = new WeakSet<Socket>()

/** The socket of a connection, with the response that Node sends on it. */
type ClientSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Listener of `clientError`: responds with 400, 408 or 431 and closes the connection. */
export function respondToClientError(error: NodeJS.ErrnoException, socket: ClientSocket): void {
  if (handled.has(socket)) return
  handled.add(socket)
  refuse(error, socket)
}

/** Listener of `connect`: responds to CONNECT with 405, since this server is not a proxy, and closes the connection. */
export function respondToConnect(_: IncomingMessage, socket: Duplex): void {
  respondToClientError(Object.assign(new Error('CONNECT'), { code: CONNECT }), socket as ClientSocket)
}

/** Refuses malformed HTTP. A client may send complete requests right before it; these get their responses first. */
function refuse(error: NodeJS.ErrnoException, socket: ClientSocket): void {
  const current = socket._httpMessage
  if (current?.req.complete && socket.writable) {
    current.once('close', () => refuse(error, socket))
    return
  }
  // A response that has started can't be replaced or followed by another, and a client that sent nothing waits for
  // none.
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent || socket.bytesRead === 0) {
    socket.destroy()
    return
  }
  socket.on('error', () => socket.destroy())
  socket.resume()
  socket.end(message(failureOf(error.code)))
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function failureOf(code: string | undefined): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return failure(431, 'The head of the request is too large')
  if (code === CONNECT) return failure(405, `This server is no proxy: its methods are ${METHODS}`, { Allow: METHODS })
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return failure(408, 'The request took too long to arrive')
  return failure(400, 'The request is not HTTP')
}

function message({ status, body, headers }: Failure): string {
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${failures[status].title}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
