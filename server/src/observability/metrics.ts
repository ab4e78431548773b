// The metrics of a running server at /metrics. One registry per server, so that several servers in one process do not mix. A label
// may only have values of a small fixed set: route patterns, error codes, currencies; never a URL or an id.

import { createHash, timingSafeEqual } from 'node:crypto';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../config/config.ts';
import type { BreakSummary } from '../modules/reconciliation/breaks.ts';
import { deadlineCounters, deadlineGauges } from './deadline-metrics.ts';
import { lagMetrics } from './deposit-lag.ts';
import {
  activationMetrics,
  alertMetrics,
  breakMetrics,
  creditMetrics,
  feeMetrics,
  holdMetrics,
  treasuryMetrics,
} from './outside-probes.ts';
import { type ApprovalFigures, approvalGauges, type WebhookFigures, webhookGauges } from './webhook-gauges.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Gauges of the library whose names end as only those of counters may. Each is the sum of the metric without `_total`, which stays. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

// These belong to the process and not to a server, and their observers cannot be stopped. So they are created once.
let processRegistry: Registry | null = null;

export function createMetrics() {
  const registry = new Registry();
  return {
    contentType: registry.contentType,
    async text(): Promise<string> {
      if (!processRegistry) {
        processRegistry = new Registry();
        collectDefaultMetrics({ register: processRegistry });
        for (const name of MISNAMED) processRegistry.removeSingleMetric(name);
      }
      return `${await processRegistry.metrics()}\n${await registry.metrics()}`;
    },
    http: httpMetrics([registry]),
    committer: committerMetrics([registry]),
    stream: streamMetrics([registry]),
    proof: proofMetrics([registry]),
    webhooks: webhookMetrics([registry]),
    deliveries: deliveryMetrics([registry]),
    providers: providerMetrics([registry]),
    deadlines: deadlineCounters([registry]),
    /** Differences between the books and the outside systems, the balances of the treasuries, and the credit lines. */
    watchOutside(outside: {
      breaks: () => Promise<BreakSummary>;
      treasury: Parameters<typeof treasuryMetrics>[1];
      credit: Parameters<typeof creditMetrics>[1];
      walletsWaiting: Parameters<typeof activationMetrics>[1];
      fees: Parameters<typeof feeMetrics>[1];
      holds: Parameters<typeof holdMetrics>[1];
      lag: Parameters<typeof lagMetrics>[1];
      alerts: Parameters<typeof alertMetrics>[1];
      webhooksOut: WebhookFigures;
      deadlines: Parameters<typeof deadlineGauges>[1];
      approvals: ApprovalFigures;
    }) {
      breakMetrics([registry]).watch(outside.breaks);
      treasuryMetrics([registry], outside.treasury);
      creditMetrics([registry], outside.credit);
      activationMetrics([registry], outside.walletsWaiting);
      feeMetrics([registry], outside.fees);
      holdMetrics([registry], outside.holds);
      lagMetrics([registry], outside.lag);
      alertMetrics([registry], outside.alerts);
      webhookGauges([registry], outside.webhooksOut);
      deadlineGauges([registry], outside.deadlines);
      approvalGauges([registry], outside.approvals);
    },
  };
}

function httpMetrics(registers: Registry[]) {
  const duration = new Histogram({
    name: 'holdfast_http_request_duration_seconds',
    help: 'Time from the start of a request to the end of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
    registers,
  });
  const inFlight = new Gauge({
    name: 'holdfast_http_requests_in_flight',
    help: 'Requests being processed.',
    registers,
  });
  const limited = new Counter({
    name: 'holdfast_http_rate_limited_total',
    help: 'Requests refused by the rate limit.',
    labelNames: ['bucket'],
    registers,
  });
  const replayed = new Counter({
    name: 'holdfast_idempotency_replays_total',
    help: 'Stored answers sent again for the same Idempotency-Key.',
    registers,
  });
  return {
    began: () => inFlight.inc(),
    // Must be called once per request that began, also when the client disconnected before the response.
    ended: () => inFlight.dec(),
    answered(request: { method: string; route: string | undefined; status: number; durationMs: number }) {
      const method = METHODS.has(request.method) ? request.method : 'other';
      const labels = { method, route: request.route ?? 'unmatched', status: request.status };
      duration.observe(labels, request.durationMs / 1000);
    },
    rateLimited: (bucket: 'api' | 'webhook') => limited.inc({ bucket }),
    replayed: () => replayed.inc(),
  };
}

function committerMetrics(registers: Registry[]) {
  let readQueueLength = () => 0;
  const size = new Histogram({
    name: 'holdfast_committer_group_size',
    help: 'Commands that shared one commit.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers,
  });
  const duration = new Histogram({
    name: 'holdfast_committer_commit_duration_seconds',
    help: 'Time from locking a group to its commit.',
    buckets: [0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256, 0.512, 1, 5],
    registers,
  });
  const refused = new Counter({
    name: 'holdfast_committer_refusals_total',
    help: 'Commands that were decided and refused, by error code.',
    labelNames: ['code'],
    registers,
  });
  const retried = new Counter({
    name: 'holdfast_committer_retries_total',
    help: 'Groups that were retried.',
    labelNames: ['reason'],
    registers,
  });
  const commands = new Counter({
    name: 'holdfast_committer_commands_total',
    help: 'Commands that were decided: from rows in memory alone, or with a query to the database.',
    labelNames: ['rows'],
    registers,
  });
  const events = new Counter({ name: 'holdfast_events_written_total', help: 'Events committed.', registers });
  new Gauge({
    name: 'holdfast_committer_queue_length',
    help: 'Commands waiting for their commit.',
    registers,
    collect() {
      this.set(readQueueLength());
    },
  });
  return {
    committed(group: { size: number; durationMs: number; events: number; rows: 'memory' | 'database' }) {
      size.observe(group.size);
      commands.inc({ rows: group.rows }, group.size);
      duration.observe(group.durationMs / 1000);
      events.inc(group.events);
    },
    refused: (code: string) => refused.inc({ code }),
    retried: (reason: 'serialization' | 'deadlock' | 'connection' | 'split') => retried.inc({ reason }),
    watchQueue(read: () => number) {
      readQueueLength = read;
    },
  };
}

function streamMetrics(registers: Registry[]) {
  const connections = new Gauge({ name: 'holdfast_sse_connections', help: 'Event streams open.', registers });
  const sent = new Counter({ name: 'holdfast_sse_events_sent_total', help: 'Events sent to clients.', registers });
  const cutOff = new Counter({
    name: 'holdfast_sse_readers_cut_off_total',
    help: 'Event streams closed because the client lagged behind the buffer.',
    registers,
  });
  return {
    opened: () => connections.inc(),
    closed: () => connections.dec(),
    sent: (count: number) => sent.inc(count),
    cutOff: () => cutOff.inc(),
  };
}

type CheckedProof = {
  readonly holds: boolean;
  readonly at: Date;
  /** Null before the first full proof. */
  readonly fullAt: Date | null;
  readonly currencies: readonly { readonly currency: string; readonly difference: string }[];
};

function proofMetrics(registers: Registry[]) {
  const holds = new Gauge({ name: 'holdfast_proof_holds', help: '1 when every check of the books held.', registers });
  const checkedAt = new Gauge({
    name: 'holdfast_proof_checked_timestamp_seconds',
    help: 'Last proof of the marketplace whose last proof is the oldest.',
    registers,
  });
  const fullyCheckedAt = new Gauge({
    name: 'holdfast_proof_full_checked_timestamp_seconds',
    help: 'Last full proof of the marketplace whose last full proof is the oldest.',
    registers,
  });
  const difference = new Gauge({
    name: 'holdfast_proof_difference',
    help: 'Claims less holdings, adjustments and opening balances; anything but 0 is unexplained.',
    labelNames: ['currency'],
    registers,
  });
  // A gauge starts at 0, which would mean that the books are wrong. So it is absent before the first check.
  holds.remove({});
  checkedAt.remove({});
  fullyCheckedAt.remove({});
  return {
    checked(proof: CheckedProof) {
      holds.set(proof.holds ? 1 : 0);
      checkedAt.set(proof.at.getTime() / 1000);
      if (proof.fullAt !== null) fullyCheckedAt.set(proof.fullAt.getTime() / 1000);
      // A number only for charts; nothing is computed from it.
      for (const row of proof.currencies) difference.set({ currency: row.currency }, Number(row.difference));
    },
  };
}

function deliveryMetrics(registers: Registry[]) {
  const duration = new Histogram({
    name: 'holdfast_webhook_delivery_duration_seconds',
    help: 'Time of one attempt to deliver an event to a webhook endpoint, by outcome.',
    labelNames: ['outcome'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers,
  });
  return {
    attempted: (outcome: 'delivered' | 'failed', durationMs: number) =>
      duration.observe({ outcome }, durationMs / 1_000),
  };
}

function webhookMetrics(registers: Registry[]) {
  const webhooks = new Counter({
    name: 'holdfast_webhooks_total',
    help: 'Webhooks received, by their outcome.',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  return { count: (provider: string, outcome: string) => webhooks.inc({ provider, outcome }) };
}

function providerMetrics(registers: Registry[]) {
  const requests = new Counter({
    name: 'holdfast_provider_requests_total',
    help: 'Requests sent to the outside systems, each repetition counted.',
    labelNames: ['provider', 'operation'],
    registers,
  });
  return {
    requested: ({ provider, operation, attempts }: { provider: string; operation: string; attempts: number }) =>
      requests.inc({ provider, operation }, attempts),
  };
}

// Metrics contain business figures. They need the token when one is set; otherwise only a server on loopback shows them.
export function mayReadMetrics(request: {
  host: string;
  token: string | null;
  authorization: string | undefined;
}): boolean {
  if (request.token === null) return isLoopback(request.host);
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(`Bearer ${request.token}`), digest(request.authorization ?? ''));
}
