/** A proxy: CONNECT, and requests to http: addresses, as Squid takes them; it records what it was asked. */
import { createServer, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** What a proxy was asked. */
export interface Asked {
  readonly method: string
  /** `host:port` of CONNECT, else a URL. */
  readonly target: string
  /** User and password, as they were sent: `user:password`. */
  readonly credentials: string | null
}

/** A running proxy. */
export interface TestProxy {
  readonly url: string
  readonly asked: Asked[]
  /** How it responds to CONNECT; null: not at all. */
  respond: number | null
  /** The port of this machine that it leads a connection to, whatever the target; null: that of the target. */
  port: number | null
  close(): Promise<void>
}

/** Starts a proxy on a free port. */
export async function startProxy(): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  const record = (method = '', target = '', authorization = '') => {
    const credentials = Buffer.from(authorization.replace('Basic ', ''), 'base64').toString()
    proxy.asked.push({ method, target, credentials: credentials || null })
  }
  const server = createServer((req, res) => {
    record(req.method, req.url, req.headers['proxy-authorization'])
    const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = req.headers
    const forwarded = request(req.url ?? '', { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(res)
    })
    forwarded.on('error', () => res.destroy())
    req.pipe(forwarded)
  })
  server.on('connection', (socket: Socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  server.on('connect', (req, socket: Socket) => {
    record(req.method, req.url, req.headers['proxy-authorization'])
    socket.on('error', () => undefined)
    if (proxy.respond === null) return
    if (proxy.respond !== 200) return socket.end(`HTTP/1.1 ${proxy.respond} No\r\nContent-Length: 0\r\n\r\n`)
    const port = proxy.port ?? Number(req.url?.split(':').at(-1))
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(target).pipe(socket)
    })
    sockets.add(target)
    target.on('error', () => socket.destroy())
    socket.on('close', () => target.destroy())
    return undefined
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: TestProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    respond: 200,
    port: null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return proxy
}
