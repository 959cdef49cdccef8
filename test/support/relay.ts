/** Relay: a proxy between pg and PostgreSQL that can end a connection at a chosen statement. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** How a connection is lost: reset, ended without a message, or ended with the message of a server that stops. */
export const endings = ['reset', 'end', 'fatal'] as const
export type Ending = (typeof endings)[number]

/** A running relay. */
export interface Relay {
  readonly url: string
  /**
   * Ends the connection that sends the `nth` statement from now on (a start of a connection counts as one), which the
   * server never gets.
   */
  cutAt(nth: number, ending: Ending): void
  /** Whether the requested cut has happened. */
  readonly hasCut: boolean
  /** Ends all connections. */
  cutAll(): void
  close(): void
}

export async function startRelay(databaseUrl: string): Promise<Relay> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let left = 0
  let ending: Ending = 'end'
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
    }
    upstream.pipe(client, { end: false })
    const isStatement = statements()
    client.on('data', (bytes) => {
      for (const message of isStatement(bytes)) {
        if (message.statement && left > 0 && --left === 0) {
          upstream.destroy()
          client.removeAllListeners('data')
          return end(client, ending)
        }
        upstream.write(message.bytes)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cutAll = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cutAt(nth, how) {
      left = nth
      ending = how
    },
    get hasCut() {
      return left === 0
    },
    cutAll,
    close() {
      server.close()
      cutAll()
    },
  }
}

function end(client: Socket, ending: Ending): void {
  if (ending === 'reset') return void client.resetAndDestroy()
  if (ending === 'end') return void client.end()
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')
  const head = Buffer.from('E0000')
  head.writeInt32BE(fields.length + 4, 1)
  client.end(Buffer.concat([head, fields]))
}

interface Message {
  readonly bytes: Buffer
  /** A start, a simple query, or the Sync that ends an extended one. */
  readonly statement: boolean
}

/** Cuts what a client sends into messages of the protocol, of which the first, the startup packet, has no type. */
function statements(): (bytes: Buffer) => Message[] {
  let rest = Buffer.alloc(0)
  let typeLength = 0
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const messages: Message[] = []
    while (rest.length >= typeLength + 4) {
      const length = typeLength + rest.readUInt32BE(typeLength)
      if (rest.length < length) break
      const type = typeLength === 0 ? 'start' : String.fromCharCode(rest[0] ?? 0)
      messages.push({ bytes: rest.subarray(0, length), statement: ['start', 'Q', 'S'].includes(type) })
      rest = rest.subarray(length)
      typeLength = 1
    }
    return messages
  }
}
