import { connect } from 'node:net'

type Chunk = string | Uint8Array

/** Sends bytes as they are to the server at `url` and answers all that comes back until the connection ends, or `until` is met. */
export function sendRaw(url: string, chunks: readonly (Chunk | Promise<Chunk>)[], until?: RegExp): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, async () => {
      for (const chunk of chunks) socket.write(await chunk)
    })
    socket.on('data', (data) => {
      answer += data.toString('latin1')
      if (until?.test(answer)) socket.destroy()
    })
    // A server may close on a client that still sends; what it said before counts.
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined))
    socket.on('close', () => resolve(answer))
  })
}
