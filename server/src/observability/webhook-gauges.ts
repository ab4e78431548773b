// Gauges of webhooks out (endpoints by status, what waits for its first attempt, and what waits for a retry) and of approvals. They are
// about the whole service, so that no marketplace becomes a label.

import { Gauge, type Registry } from 'prom-client';
import { parseInstant } from '../base/instant.ts';

export type WebhookFigures = {
  summary(): Promise<{ active: number; failing: number; disabled: number; backlog: bigint }>;
  pending(): Promise<number>;
};

/** Read when the metrics are read: another process may send. */
export const webhookGauges = (registers: Registry[], { summary, pending }: WebhookFigures): void => {
  new Gauge({
    name: 'holdfast_webhook_endpoints',
    help: 'Webhook endpoints of all marketplaces, by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      const { active, failing, disabled } = await summary();
      this.set({ status: 'active' }, active);
      this.set({ status: 'failing' }, failing);
      this.set({ status: 'disabled' }, disabled);
    },
  });
  new Gauge({
    name: 'holdfast_webhook_backlog_events',
    help: 'Events that the enabled webhook endpoints have not attempted or passed yet, added up over endpoints.',
    registers,
    async collect() {
      this.set(Number((await summary()).backlog));
    },
  });
  new Gauge({
    name: 'holdfast_webhook_deliveries_pending',
    help: 'Webhook deliveries that failed and will be tried again; counted up to 100,000.',
    registers,
    async collect() {
      this.set(await pending());
    },
  });
};

export type ApprovalFigures = () => Promise<{ pending: number; oldest: string | null }>;

export const approvalGauges = (registers: Registry[], figures: ApprovalFigures): void => {
  new Gauge({
    name: 'holdfast_approvals_pending',
    help: 'Requests of all marketplaces that wait for approval.',
    registers,
    async collect() {
      this.set((await figures()).pending);
    },
  });
  new Gauge({
    name: 'holdfast_approval_oldest_seconds',
    help: 'How long the oldest request has waited for approval; 0 when none waits.',
    registers,
    async collect() {
      const { oldest } = await figures();
      this.set(oldest === null ? 0 : Math.max(0, (Date.now() - parseInstant(oldest)! / 1_000) / 1_000));
    },
  });
};
