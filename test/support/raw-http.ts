/** Raw HTTP: requests of arbitrary bytes. */
import { connect } from 'node:net'

type Chunk = string | Uint8Array

/** Sends bytes to the server at `url` and returns all that it sends until the connection ends or `until` matches. */
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
    // A server may close the connection while the client sends; what it sent before is returned.
    socket.on('error', (error) => (answer === '' ? reject(error) : undefined))
    socket.on('close', () => resolve(answer))
  })
}
