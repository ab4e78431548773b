// Traces, when a collector is configured. Otherwise every call is a no-op and OpenTelemetry is not loaded. Tracing
// may never fail a request: when the collector is down, only spans are lost.

import type { Attributes, Context, Span } from '@opentelemetry/api';

export type { Attributes } from '@opentelemetry/api';
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

// The parent of a span, made from the headers of a request. Opaque to all other code.
type Parent = Context | null;
type NewSpan = { name: string; attributes?: Attributes; parent?: Parent };

type OpenSpan = {
  traceId: string | null;
  set(attributes: Attributes): void;
  failed(error: unknown): void;
  // Every span that fn starts, now or later, becomes a child of this span.
  run<T>(fn: () => T): T;
  end(): void;
};

export type Tracing = {
  // For work with a beginning and an end in different places, such as the hooks of a request; the caller ends it.
  // The span is described by a function, so that without a collector nothing is put together.
  start(describe: () => NewSpan): OpenSpan;
  // The W3C traceparent of an incoming request.
  parentOf(headers: Headers): Parent;
  stop(): Promise<void>;
};

type Collector = { readonly endpoint: string; readonly serviceName: string };

const EXPORT_TIMEOUT_MS = 3000;

const NO_SPAN: OpenSpan = { traceId: null, set() {}, failed() {}, run: (fn) => fn(), end() {} };

export const NO_TRACING: Tracing = {
  start: () => NO_SPAN,
  parentOf: () => null,
  async stop() {},
};

// OpenTelemetry has one tracer per process, so a process uses one Tracing at a time: stop it before the next one starts.
export async function startTracing(options: { endpoint: string | null; serviceName: string }): Promise<Tracing> {
  if (options.endpoint === null) return NO_TRACING;
  const api = await import('@opentelemetry/api');
  const provider = await registerProvider(api, { endpoint: options.endpoint, serviceName: options.serviceName });
  const tracer = api.trace.getTracer('holdfast');

  function start(describe: () => NewSpan): OpenSpan {
    const { name, attributes, parent } = describe();
    const above = parent ?? api.context.active();
    const span = tracer.startSpan(name, attributes ? { attributes } : {}, above);
    const within = api.trace.setSpan(above, span);
    return {
      traceId: span.spanContext().traceId,
      set: (more) => void span.setAttributes(more),
      failed: (error) => markFailed({ span, error, code: api.SpanStatusCode.ERROR }),
      run: (fn) => api.context.with(within, fn),
      end: () => span.end(),
    };
  }

  return {
    start,
    parentOf: (headers) => api.propagation.extract(api.ROOT_CONTEXT, headers),
    async stop() {
      await provider.shutdown().catch(() => undefined);
      api.trace.disable();
      api.context.disable();
      api.propagation.disable();
    },
  };
}

/** Sends only spans to the collector. Logs and metrics are not sent over OTLP. */
async function registerProvider(api: typeof import('@opentelemetry/api'), to: Collector) {
  const [{ AsyncLocalStorageContextManager }, core, resources, { BatchSpanProcessor, TracerProvider }, otlp] =
    await Promise.all([
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const url = `${to.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new otlp.OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': to.serviceName }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  api.propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  api.trace.setGlobalTracerProvider(provider);
  return provider;
}

// Only the name of an error: its message may contain what the log would hide.
function markFailed({ span, error, code }: { span: Span; error: unknown; code: 2 }): void {
  const type = error instanceof Error ? error.name : typeof error;
  span.setAttributes({ 'error.type': type });
  span.setStatus({ code, message: type });
}
