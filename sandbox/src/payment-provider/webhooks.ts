// The webhooks of the payment provider, and the faults that change them. A webhook is stored in the same synchronous step as its
// change, so none is lost with the process.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Fault, Faults } from '../faults.ts';
import type { WebhookTarget } from '../sandbox-config.ts';
import type { Slice } from '../state.ts';
import type { Enterprises } from './enterprises.ts';
import { openOutbox, type SentWebhook } from './webhook-outbox.ts';
import { type Announcement, nameEvent, writeBody } from './webhook-spelling.ts';

export type Webhooks = {
  begin(): void;
  announce(what: Announcement): void;
  settled(about: string): Promise<void>;
  list(): SentWebhook[];
  setTarget(target: WebhookTarget | null): void;
  close(): void;
};

// The delay of a late webhook, and how long a reordered one waits for another to overtake it.
const LATE_MS = 60_000;

type Tools = {
  slice: Slice;
  clock: Clock;
  faults: Faults;
  flush: () => void;
  enterprises: Enterprises;
  target: WebhookTarget | null;
};

export function keepWebhooks({ target: first, ...tools }: Tools): Webhooks {
  const { slice, clock, faults, flush, enterprises } = tools;
  let target = first;
  // All enterprises send to the same address, each with its own secret.
  const targetOf = (enterprise: string): WebhookTarget | null =>
    target && { ...target, secret: enterprises.get(enterprise).webhookSecret ?? target.secret };
  const { table, send, sendAt, settled, close } = openOutbox({ slice, clock, flush, target: targetOf });
  const held = new Set<string>();

  const hold = (id: string, untilMs: number) => {
    held.add(id);
    clock.at(untilMs, () => release(id));
  };
  const release = (id: string): Promise<void> | undefined => {
    const webhook = table.get(id);
    if (!held.delete(id) || webhook === undefined) return;
    table.set(id, { ...webhook, status: 'waiting', nextAtMs: clock.now() });
    return send(id);
  };
  const sendBeforeHeld = async (id: string) => {
    const overtaken = [...held];
    await send(id);
    for (const other of overtaken) await release(other);
  };

  return {
    begin() {
      held.clear();
      for (const { id, status, nextAtMs } of table.values()) {
        if (nextAtMs === null) continue;
        if (status === 'held') hold(id, nextAtMs);
        else sendAt(id, nextAtMs);
      }
    },
    announce(what) {
      const spelling = target?.spelling ?? 'native';
      const type = nameEvent(what, spelling);
      if (type === null) return;
      const id = `msg_${randomUUID().replaceAll('-', '')}`;
      const body = writeBody(what.data, { id, type, at: clock.iso(), in: spelling });
      const fault = faults.strike({ operation: 'webhook', ids: [what.id, what.code, type] });
      const webhook = {
        id,
        type,
        about: what.id,
        code: what.code,
        enterprise: what.enterprise,
        body,
        attempts: [],
        ...deliveryOf(fault, clock.now()),
      };
      table.set(id, webhook);
      if (webhook.status === 'held') hold(id, webhook.nextAtMs!);
      else if (fault?.fault === 'late') sendAt(id, webhook.nextAtMs!);
      else if (webhook.nextAtMs !== null) void sendBeforeHeld(id);
    },
    settled,
    list: () => [...table.values()],
    setTarget(next) {
      target = next;
    },
    close,
  };
}

function deliveryOf(fault: Fault | null, now: number): Pick<SentWebhook, 'status' | 'fault' | 'copies' | 'nextAtMs'> {
  const struck = { fault: fault?.fault ?? null, copies: fault?.fault === 'duplicate' ? 2 : 1 };
  const later = now + (fault?.delayMs ?? LATE_MS);
  if (fault?.fault === 'drop') return { ...struck, status: 'dropped', nextAtMs: null };
  if (fault?.fault === 'reorder') return { ...struck, status: 'held', nextAtMs: later };
  return { ...struck, status: 'waiting', nextAtMs: fault?.fault === 'late' ? later : now };
}
