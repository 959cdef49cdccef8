/** HTTP client: requests of any bytes over persistent connections, as clients under load send them. */
import { Agent, request as open } from 'node:http'

export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
}

export interface HttpResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

export interface Client {
  /** Its errors tell by `isFresh` whether the connection had no request before. */
  send(sent: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>
  close(): void
}

export function createClient(base: string, connections = 64): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    send: ({ method, path, headers = {}, body }, signal) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body as string) }
        const req = open(
          base + path,
          { method, agent, headers: { ...length, ...headers }, ...(signal && { signal }) },
          (res) => {
            const chunks: Buffer[] = []
            res.on('data', (chunk: Buffer) => chunks.push(chunk))
            res.on('error', reject)
            res.on('close', () => {
              if (!res.complete) reject(new Error('the answer ended early'))
              else
                resolve({
                  status: res.statusCode ?? 0,
                  headers: res.headers,
                  text: Buffer.concat(chunks).toString('utf8'),
                })
            })
          },
        )
        req.on('error', (error) => reject(Object.assign(error, { isFresh: !req.reusedSocket })))
        req.end(body)
      }),
    close: () => agent.destroy(),
  }
}

export const jsonHeaders = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
