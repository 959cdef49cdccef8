/** Change stream clients: server-sent events over real sockets. */
import type { TestServer } from './server.ts'

/** A client of one stream. */
export interface Listener {
  /** The next result; undefined when the stream is complete. Rejects when nothing comes in time. */
  next(): Promise<LiveResult | undefined>
  /** The next `count` results. */
  take(count: number): Promise<LiveResult[]>
  /** Closes the connection. */
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
export type LiveResult = any

/** Only against what never comes: a busy machine may take many seconds. */
const TIMEOUT_MS = 60_000

interface ListenOptions {
  readonly token?: string
  readonly variables?: object
  readonly headers?: Record<string, string>
  /** Aborts the request, also before the stream begins. */
  readonly abort?: AbortController
}

/** Opens a stream; it listens when the promise resolves. */
export async function listen(
  { url, admin }: Pick<TestServer, 'url' | 'admin'>,
  query: string,
  { token = admin, variables = {}, headers = {}, abort = new AbortController() }: ListenOptions = {},
): Promise<Listener> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    signal: abort.signal,
    headers: {
      ...headers,
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({ query, variables }),
  })
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) throw new Error(await response.text())
  // The reader keeps the response referenced; a collected response would cancel its body.
  const events = read((response.body as ReadableStream<Uint8Array>).getReader())
  return {
    next: () => inTime(events.next().then(({ value }) => value)),
    async take(count) {
      const results = []
      while (results.length < count) results.push(await inTime(events.next().then(({ value }) => value)))
      return results
    },
    async close() {
      abort.abort()
      await events.next().catch(() => undefined)
    },
  }
}

async function* read(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<LiveResult, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    text += decoder.decode(step.value, { stream: true })
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      if (event.startsWith('event: complete')) return undefined
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
  throw new Error('the stream broke off')
}

async function inTime<T>(promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no result came in time')), TIMEOUT_MS)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Waits until a condition holds; throws after TIMEOUT_MS. */
export async function waitUntil(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + TIMEOUT_MS; !(await holds()); ) {
    if (Date.now() > end) throw new Error('the condition never held')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
