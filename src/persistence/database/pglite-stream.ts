/** PGlite stream: a connection to the embedded database that pg uses like a socket. */
import { Duplex } from 'node:stream'
import type { PgliteEngine } from './pglite-engine.ts'

const PROTOCOL_3 = 196_608
const TERMINATE = 'X'.charCodeAt(0)

/**
 * The response to a startup packet: authenticated, the parameters that clients read, ready for a query outside a
 * transaction.
 */
const STARTUP_RESPONSE = Buffer.concat([
  message('R', Buffer.from([0, 0, 0, 0])),
  ...Object.entries({
    server_version: '18.0',
    server_encoding: 'UTF8',
    client_encoding: 'UTF8',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    standard_conforming_strings: 'on',
  }).map(([name, value]) => message('S', Buffer.from(`${name}\0${value}\0`))),
  message('Z', Buffer.from('I')),
])

/**
 * Resets the only session of the embedded database, which may be inside a failed transaction or hold prepared
 * statements.
 */
const FRESH_SESSION = Buffer.concat([
  message('S', Buffer.alloc(0)),
  query('ROLLBACK'),
  query('DISCARD ALL'),
  query("SET TIME ZONE 'UTC'"),
])

/** One connection. Only one may be open at a time (the pool's `max` is 1). */
export class PgliteStream extends Duplex {
  private started = false

  constructor(private readonly engine: PgliteEngine) {
    super()
  }

  connect(): this {
    this.engine.start().then(
      () => this.emit('connect'),
      (error: Error) => this.destroy(error),
    )
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.exchange(chunk).then(() => done(), done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.exchange(Buffer.concat(chunks.map(({ chunk }) => chunk))).then(() => done(), done)
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null)
    done()
  }

  private async exchange(bytes: Buffer): Promise<void> {
    if (!this.started && bytes.length >= 8 && bytes.readUInt32BE(4) === PROTOCOL_3) {
      this.started = true
      await this.engine.exchange(new Uint8Array(FRESH_SESSION))
      this.push(STARTUP_RESPONSE)
    } else if (bytes[0] !== TERMINATE) {
      // A copy, since pg reuses the buffer that it writes and the worker takes over the memory.
      const response = await this.engine.exchange(new Uint8Array(bytes))
      this.push(Buffer.from(response.buffer, response.byteOffset, response.byteLength))
    }
  }

  // pg calls these on its socket; they have no effect here.
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}

/** One message of the protocol: its type, its length without the type, its body. */
function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, type)
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function query(text: string): Buffer {
  return message('Q', Buffer.from(`${text}\0`))
}
