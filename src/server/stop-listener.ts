/**
 * Graceful shutdown of the listener, behind a proxy that repeats no request: nothing that the kernel took for this
 * process is reset. Neither a connection that waits to be accepted, nor a request that has arrived and is not yet read.
 */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'

/** Milliseconds that connections without a request stay open during a graceful shutdown. */
export const IDLE_CLOSE_MS = 1_000

/**
 * Closes the listener, and after IDLE_CLOSE_MS the idle connections, since Node's own close() would lose requests that
 * are on their way. A client that sends one in that time gets its response with `Connection: close`. Resolves when all
 * connections have ended; after `limitMs` they are closed.
 */
export async function stopListener(server: Server, limitMs: number): Promise<void> {
  const idleMs = Math.min(IDLE_CLOSE_MS, limitMs / 4)
  await acceptWaiting(server, idleMs)
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
  const idle = closeIdleLater(server, idleMs)
  const forced = setTimeout(() => server.closeAllConnections(), limitMs)
  await closed
  clearTimeout(idle)
  clearTimeout(forced)
  // Stops the interval in which Node checks connections.
  server.close()
}

/**
 * Closes idle connections after `milliseconds`. Timers run before arrived bytes are read, which a process that was
 * blocked has. A connection with a request among them is not idle.
 */
export function closeIdleLater(server: Server, milliseconds: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(() => server.closeIdleConnections()), milliseconds).unref()
}

/**
 * Accepts the connections that the kernel holds for the process. libuv accepts one in each turn of the event loop, so
 * they are all accepted when a turn brings no more. Clients that keep connecting are waited for `limitMs` at most.
 */
async function acceptWaiting(server: Server, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs
  let accepted: boolean
  const note = (): void => {
    accepted = true
  }
  server.on('connection', note)
  // The first turn may have begun before this call.
  await turn()
  do {
    accepted = false
    await turn()
  } while (accepted && performance.now() < end)
  server.off('connection', note)
}

/** Resolves after the next turn of the event loop. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
