/**
 * Traces (OpenTelemetry), sent by OTLP over HTTP when OTEL_EXPORTER_OTLP_ENDPOINT is set. Only then does start.ts load
 * this module, and with it the SDK, which reads its other variables itself.
 *
 * AsyncLocalStorage carries the active span. Statements without an active span, such as those of timers, get no span.
 * Nor does work that goes on after its span has ended, nor the events of a stream, whose number is not limited.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage } from 'node:http'
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import {
  ATTR_DB_QUERY_SUMMARY,
  ATTR_DB_SYSTEM_NAME,
  ATTR_ERROR_TYPE,
  ATTR_HTTP_REQUEST_METHOD,
  ATTR_HTTP_RESPONSE_STATUS_CODE,
  ATTR_HTTP_ROUTE,
  ATTR_SERVICE_NAME,
  DB_SYSTEM_NAME_VALUE_POSTGRESQL,
} from '@opentelemetry/semantic-conventions'
import type { Logger } from '../../lib/log.ts'
import { OutgoingAgents } from '../../lib/outgoing-agents.ts'
import type { Proxies } from '../../lib/proxies.ts'
import type { RequestTrace } from '../../lib/request-trace.ts'
import { withTimeout } from '../../lib/with-timeout.ts'
import type { Database } from '../../persistence/database/database.ts'
import { summaryOf } from '../../persistence/database/statement-name.ts'
import type { OperationNames } from './operation-names.ts'

/** Milliseconds that a stop waits for the collector. */
const FLUSH_MS = 1_000

/** The traces of a server. */
export interface Traces {
  /**
   * Begins the trace of a request, or continues the one that its `traceparent` names. `names` gives operations their
   * labels.
   */
  readonly begin: (req: IncomingMessage, names: OperationNames) => RequestTrace
  /** Stops observing statements, and sends the spans that remain. */
  readonly stop: () => Promise<void>
}

/** Creates the traces, which go to `endpoint` of the configuration, and starts observing statements. */
export function createTraces(database: Database, log: Logger, endpoint: string, proxies: Proxies): Traces {
  const resource = defaultResource()
    .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: 'commerce-graph' }))
    .merge(detectResources({ detectors: [envDetector] }))
  const agents = new OutgoingAgents({ proxies })
  const exporter = new ReportingExporter(
    new OTLPTraceExporter({ httpAgentOptions: () => agents.for(new URL(endpoint)) }),
    log,
  )
  const provider = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporter)] })
  const tracer = provider.getTracer('commerce-graph')
  const propagator = new W3CTraceContextPropagator()
  const active = new AsyncLocalStorage<Span>()
  const streams = new WeakSet<Span>()

  /** The active span, unless it takes no children. */
  const parentSpan = (): Span | null => {
    const span = active.getStore()
    return span?.isRecording() && !streams.has(span) ? span : null
  }

  const childOf = (parent: Span, name: string, attributes: Attributes, kind = SpanKind.INTERNAL): Span =>
    tracer.startSpan(name, { kind, attributes }, trace.setSpan(ROOT_CONTEXT, parent))

  /** Runs `work` in a child of the active span. */
  async function inChild<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T> | T,
    isFailed?: (result: T) => boolean,
  ): Promise<T> {
    const parent = parentSpan()
    if (!parent) return work()
    const span = childOf(parent, name, attributes)
    try {
      const result = await active.run(span, work)
      if (isFailed?.(result)) fail(span)
      return result
    } catch (error) {
      fail(span)
      throw error
    } finally {
      span.end()
    }
  }

  const begin: Traces['begin'] = ({ method = '', headers }, names) => {
    const attributes = { [ATTR_HTTP_REQUEST_METHOD]: method }
    const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, context)
    return {
      id: span.spanContext().traceId,
      run: (handle) => active.run(span, handle),
      operation: (type, name, run, isFailed) => {
        const label = names.labelOf(name)
        const attributes = { 'graphql.operation.type': type, 'graphql.operation.name': label }
        const result = inChild(`${type} ${label}`, attributes, run, isFailed)
        if (type === 'subscription') streams.add(span)
        return result
      },
      batch: (path, keys, run) =>
        inChild(`load ${path}`, { 'commerce.loader.path': path, 'commerce.loader.keys': keys }, run),
      end: ({ status, route, operation }) => {
        if (route !== null) span.updateName(`${method} ${route}`).setAttribute(ATTR_HTTP_ROUTE, route)
        if (operation !== null) span.setAttribute('graphql.operation.name', operation)
        if (status !== null) span.setAttribute(ATTR_HTTP_RESPONSE_STATUS_CODE, status)
        if (status !== null && status >= 500) fail(span).setAttribute(ATTR_ERROR_TYPE, String(status))
        span.end()
      },
    }
  }

  const unobserve = database.onStatement((statement, onEnd) => {
    const parent = parentSpan()
    if (!parent) return
    const summary = summaryOf(statement)
    const attributes = { [ATTR_DB_SYSTEM_NAME]: DB_SYSTEM_NAME_VALUE_POSTGRESQL, [ATTR_DB_QUERY_SUMMARY]: summary }
    const span = childOf(parent, summary, attributes, SpanKind.CLIENT)
    onEnd((failed) => {
      if (failed) fail(span)
      span.end()
    })
  })

  return {
    begin,
    stop: async () => {
      unobserve()
      // While it is in use, each promise of the process costs more.
      active.disable()
      await withTimeout(provider.shutdown(), FLUSH_MS, undefined).catch(() => undefined)
    },
  }
}

/** There is no message, since errors may hold what a client sent. */
function fail(span: Span): Span {
  return span.setStatus({ code: SpanStatusCode.ERROR })
}

/** Logs once that the collector is unreachable, and once that it is back. The SDK drops what it could not send. */
class ReportingExporter implements SpanExporter {
  private isLost = false

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Logger,
  ) {}

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.exporter.export(spans, (result) => {
      this.report(result)
      done(result)
    })
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve()
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown()
  }

  private report({ code, error }: ExportResult): void {
    const isLost = code !== ExportResultCode.SUCCESS
    if (isLost === this.isLost) return
    this.isLost = isLost
    // A status, or a system error code. A message may hold the URL, and so a password.
    const { code: reason } = (error ?? {}) as { readonly code?: string | number }
    if (isLost) this.log.warn({ reason }, 'the collector of traces takes no spans, which are lost until it does')
    else this.log.info('the collector of traces takes spans again')
  }
}
