/** Trace collector: takes spans by OTLP over HTTP, as JSON, like that of OpenTelemetry, Jaeger or Tempo. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as it was sent. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly traceState?: string
  readonly name: string
  /** 1: within the server, 2: of a request, 3: of a request to something else. */
  readonly kind: number
  /** Its `code` is 2 for an error. */
  readonly status: { readonly code: number; readonly message?: string }
  readonly attributes: Readonly<Record<string, unknown>>
}

/** A span's name with the spans below it, in the order of their names, since several run at once. */
export type SpanTree = readonly [name: string, ...children: SpanTree[]]

/** A running collector. */
export interface TraceCollector {
  readonly url: string
  /** What it has received, in the order of their end. */
  readonly spans: CollectedSpan[]
  /** The attributes of what sent them, and the headers of the last request. */
  resource: Readonly<Record<string, unknown>>
  headers: IncomingHttpHeaders
  /** How it responds from now on, with a status; null: not at all. */
  respond: number | null
  readonly requests: () => number
  readonly stop: () => Promise<void>
}

/** Starts a collector on a free port, or on that of one that has stopped. */
export async function startTraceCollector(port = 0): Promise<TraceCollector> {
  let requests = 0
  const server = createServer(async (req, res) => {
    requests++
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk)
    if (collector.respond === null) return
    if (collector.respond === 200 && req.url === '/v1/traces') {
      collector.headers = req.headers
      collect(collector, JSON.parse(Buffer.concat(chunks).toString()))
    }
    res.writeHead(collector.respond, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resource: {},
    headers: {},
    respond: 200,
    requests: () => requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}

type Attributes = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[]

interface Sent {
  readonly resourceSpans: {
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: {
      readonly spans: (Omit<CollectedSpan, 'attributes'> & { readonly attributes: Attributes })[]
    }[]
  }[]
}

function collect(collector: TraceCollector, { resourceSpans }: Sent): void {
  for (const { resource, scopeSpans } of resourceSpans) {
    collector.resource = valuesOf(resource.attributes)
    for (const { spans } of scopeSpans)
      collector.spans.push(...spans.map((span) => ({ ...span, attributes: valuesOf(span.attributes) })))
  }
}

function valuesOf(attributes: Attributes): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}

/** The spans as trees: those first whose parent is not among them. */
export function treesOf(spans: readonly CollectedSpan[]): SpanTree[] {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  const under = (parent: string | undefined): CollectedSpan[] =>
    spans
      .filter(({ parentSpanId = '' }) => (parent === undefined ? !ids.has(parentSpanId) : parentSpanId === parent))
      .sort((left, right) => (left.name < right.name ? -1 : 1))
  const tree = (span: CollectedSpan): SpanTree => [span.name, ...under(span.spanId).map(tree)]
  return under(undefined).map(tree)
}
