// Records what was sent: the attempts, how far each endpoint is, and whether it fails. One transaction takes all results of a marketplace
// that wait. A repeat after a lost answer changes nothing: each attempt has an id of its own. Nothing here sends.

import type pg from 'pg';
import { newCursor, WEBHOOK_CURSORS, type WebhookCursor } from '../webhook-endpoints/endpoint.ts';
import {
  type AttemptResult,
  afterAttempt,
  newDelivery,
  type SentEvent,
  WEBHOOK_DELIVERIES,
  type WebhookDelivery,
} from './delivery.ts';
import { lockRows, type RecordRow, writeRows } from './record-rows.ts';

export type SentDelivery = AttemptResult & {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly event: SentEvent;
};

export type Progress = {
  readonly endpointId: string;
  readonly position: number;
  /** Of the cursor that the sender began with. */
  readonly replays: number;
  /** Newly found to have left the stream. */
  readonly missed: number;
};

export type Results = { readonly sent: readonly SentDelivery[]; readonly progress: readonly Progress[] };

/** What the senders continue with. */
export type Recorded = {
  readonly deliveries: ReadonlyMap<string, Pick<WebhookDelivery, 'status' | 'nextAttemptAt' | 'tries'>>;
  readonly cursors: ReadonlyMap<string, WebhookCursor>;
};

const isRecorded = ({ attempts }: WebhookDelivery, { attempt }: SentDelivery): boolean =>
  attempts.some(({ requestId }) => requestId === attempt.requestId);

const withSent = (
  known: RecordRow<'webhookDeliveries'> | undefined,
  { sent, now }: { sent: SentDelivery; now: string },
): RecordRow<'webhookDeliveries'> => {
  const { deliveryId: id, endpointId, event } = sent;
  if (!known) {
    const fresh = newDelivery({ ...event, id, endpointId, envelope: null }, now);
    return { version: 0, row: afterAttempt(fresh, { result: sent, now }) };
  }
  if (known.row.endpointId !== endpointId) throw new Error(`two endpoints share the delivery ${id}`);
  // A replay of what had ended has all its tries again.
  const tries = known.row.status === 'PENDING' ? known.row.tries : 0;
  return { ...known, row: afterAttempt({ ...known.row, tries }, { result: sent, now }) };
};

const afterResult = (cursor: WebhookCursor, { attempt, ends }: AttemptResult): WebhookCursor => {
  // Nothing was sent.
  if (ends === 'event') return cursor;
  if (attempt.error === null) return { ...cursor, failures: 0, failingSince: null, lastSuccessAt: attempt.at };
  const failingSince = cursor.failingSince ?? attempt.at;
  return { ...cursor, failures: cursor.failures + 1, failingSince, lastFailureAt: attempt.at };
};

const withProgress = (cursor: WebhookCursor, { position, replays, missed }: Progress): WebhookCursor =>
  replays === cursor.replays && BigInt(position) > cursor.position
    ? { ...cursor, position: BigInt(position), missed: cursor.missed + BigInt(missed) }
    : cursor;

const withResults = (
  known: RecordRow<'webhookCursors'> | undefined,
  { id, now, sent, progress }: Results & { readonly id: string; readonly now: string },
): RecordRow<'webhookCursors'> => {
  const { version, row } = known ?? { version: 0, row: newCursor({ id, position: 0n, updatedAt: now }) };
  let cursor = row;
  for (const one of sent) if (one.endpointId === id) cursor = afterResult(cursor, one);
  for (const one of progress) if (one.endpointId === id) cursor = withProgress(cursor, one);
  return { version, row: { ...cursor, updatedAt: now } };
};

type Recording = Results & { readonly marketplaceId: string; readonly now: string };

const recordIn = async (
  client: pg.ClientBase,
  { marketplaceId, now, sent, progress }: Recording,
): Promise<Recorded> => {
  const endpointIds = [...new Set([...sent, ...progress].map(({ endpointId }) => endpointId))];
  const ofCursors = { table: WEBHOOK_CURSORS, marketplaceId };
  const ofDeliveries = { table: WEBHOOK_DELIVERIES, marketplaceId };
  const cursors = await lockRows<'webhookCursors'>(client, { ...ofCursors, ids: endpointIds });
  const ids = sent.map(({ deliveryId }) => deliveryId);
  const deliveries = await lockRows<'webhookDeliveries'>(client, { ...ofDeliveries, ids });
  const fresh = sent.filter((one) => {
    const known = deliveries.get(one.deliveryId);
    return !known || !isRecorded(known.row, one);
  });
  for (const one of fresh) deliveries.set(one.deliveryId, withSent(deliveries.get(one.deliveryId), { sent: one, now }));
  for (const id of endpointIds) cursors.set(id, withResults(cursors.get(id), { id, now, sent: fresh, progress }));
  const changed = new Set(fresh.map(({ deliveryId }) => deliveryId));
  await writeRows(client, { ...ofCursors, rows: [...cursors.values()] });
  await writeRows(client, { ...ofDeliveries, rows: [...changed].map((id) => deliveries.get(id)!) });
  const rowsOf = <Row>(all: ReadonlyMap<string, { row: Row }>) => new Map([...all].map(([id, { row }]) => [id, row]));
  return { deliveries: rowsOf(deliveries), cursors: rowsOf(cursors) };
};

export type RecordDeliveries = (recording: Recording) => Promise<Recorded>;

export const createRecordDeliveries =
  (pool: pg.Pool): RecordDeliveries =>
  async (recording) => {
    const client = await pool.connect();
    let failure: Error | undefined;
    try {
      await client.query('begin');
      const recorded = await recordIn(client, recording);
      await client.query('commit');
      return recorded;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      // A connection with an open transaction is not used again.
      client.release(failure);
    }
  };
