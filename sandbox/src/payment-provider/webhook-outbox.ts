// Webhooks on their way: attempts, pauses on the clock of the simulators, and giving up. Webhooks about one payin or payout are sent
// one after the other. A webhook is sent only after its change is written.

import type { Clock } from '../clock.ts';
import type { FaultName } from '../faults-table.ts';
import type { WebhookTarget } from '../sandbox-config.ts';
import type { Slice, Table } from '../state.ts';
import { deliver, type Outcome } from './webhook-delivery.ts';

export type SentWebhook = {
  id: string;
  type: string;
  // The payin or payout of the webhook.
  about: string;
  code: string | null;
  enterprise: string;
  body: string;
  status: 'waiting' | 'held' | 'delivered' | 'given-up' | 'dropped' | 'no-receiver';
  fault: FaultName | null;
  // How many more times the receiver has to accept it: twice for a duplicate.
  copies: number;
  attempts: { at: string; outcome: Outcome }[];
  nextAtMs: number | null;
};

type Outbox = {
  readonly table: Table<SentWebhook>;
  // Sends it now, after those about the same payment. Resolves when the attempt has ended.
  send(id: string): Promise<void>;
  sendAt(id: string, timeMs: number): void;
  // Resolves when nothing about this payment is being sent.
  settled(about: string): Promise<void>;
  close(): void;
};

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
// The pauses after each failed attempt, as at the real provider.
const PAUSES_MS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];

type Tools = { slice: Slice; clock: Clock; flush: () => void; target: (enterprise: string) => WebhookTarget | null };

export function openOutbox({ slice, clock, flush, target }: Tools): Outbox {
  const table = slice.table<SentWebhook>('webhooks');
  const lines = new Map<string, Promise<void>>();
  const closing = new AbortController();

  const attempt = async (id: string): Promise<void> => {
    const webhook = table.get(id);
    if (webhook === undefined || webhook.nextAtMs === null || closing.signal.aborted) return;
    const receiver = target(webhook.enterprise);
    flush();
    if (receiver === null) {
      table.set(id, { ...webhook, status: 'no-receiver', nextAtMs: null });
      return flush();
    }
    const badSignature = webhook.fault === 'bad-signature';
    const { body } = webhook;
    const outcome = await deliver({ target: receiver, id, body, badSignature, signal: closing.signal });
    if (closing.signal.aborted || !table.has(id)) return;
    const after = judge(webhook, { at: clock.iso(), now: clock.now(), outcome });
    table.set(id, after);
    flush();
    if (after.nextAtMs === null) return;
    if (after.nextAtMs <= clock.now()) return attempt(id);
    sendAt(id, after.nextAtMs);
  };

  const send = (id: string): Promise<void> => {
    const about = table.get(id)?.about ?? id;
    const line = clock.during((lines.get(about) ?? Promise.resolve()).then(() => attempt(id)));
    lines.set(about, line);
    return line.finally(() => {
      if (lines.get(about) === line) lines.delete(about);
    });
  };
  const sendAt = (id: string, timeMs: number) => void clock.at(timeMs, () => send(id));

  return {
    table,
    send,
    sendAt,
    async settled(about) {
      while (lines.has(about)) await lines.get(about);
    },
    close: () => closing.abort(),
  };
}

function judge(webhook: SentWebhook, { at, now, outcome }: { at: string; now: number; outcome: Outcome }): SentWebhook {
  const attempts = [...webhook.attempts, { at, outcome }];
  if ('status' in outcome && outcome.status >= 200 && outcome.status < 300) {
    const copies = webhook.copies - 1;
    return { ...webhook, attempts, copies, status: 'delivered', nextAtMs: copies > 0 ? now : null };
  }
  // A forged webhook is not sent again.
  const pause = webhook.fault === 'bad-signature' ? undefined : PAUSES_MS[attempts.length - 1];
  if (pause === undefined) return { ...webhook, attempts, status: 'given-up', nextAtMs: null };
  return { ...webhook, attempts, status: 'waiting', nextAtMs: now + pause };
}
