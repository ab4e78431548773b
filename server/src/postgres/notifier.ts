// Tells other parts and other processes that something changed for certain ids. It uses PostgreSQL's NOTIFY over a connection of its
// own and never notifies inside a committing transaction, because commits that notify wait for each other. A lost notification
// only delays: every listener must also poll, and must check everything after a gap.

import type pg from 'pg';
import { pause } from '../base/wait.ts';
import type { Connection } from './connection.ts';
import { keepListening } from './notifier-connection.ts';

const CHANNELS = [
  'holdfast_approval_rules',
  'holdfast_events',
  'holdfast_keys',
  'holdfast_wallet_keys',
  'holdfast_webhooks',
] as const;
type Channel = (typeof CHANNELS)[number];

export type Notifier = {
  on(channel: Channel, listener: (ids: string[]) => void): void;
  /** Called after the connection was lost and made again: any notification may have been missed. */
  onGap(listener: () => void): void;
  /** Calls the listeners of this process at once and those of other processes soon. An id must not contain a comma. */
  notify(channel: Channel, ids: readonly string[]): void;
  close(): Promise<void>;
};

type NotifierOptions = { connection: Connection; onTrouble(message: string, error: unknown): void };

/** PostgreSQL refuses 8,000 bytes and more. */
const PAYLOAD_BYTES_MAX = 7_900;

/** A busy server would notify after each of 200 commits a second, and each notification is a transaction. */
const PAUSE_MS = 20;

const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload';

/** The ids joined with commas, in as few payloads as the limit allows. */
export const payloadsOf = (ids: Iterable<string>): string[] => {
  const payloads: string[] = [];
  let payload = '';
  for (const id of ids) {
    if (payload !== '' && payload.length + id.length >= PAYLOAD_BYTES_MAX) {
      payloads.push(payload);
      payload = '';
    }
    payload = payload === '' ? id : `${payload},${id}`;
  }
  return payload === '' ? payloads : [...payloads, payload];
};

export const createNotifier = ({ connection, onTrouble }: NotifierOptions): Notifier => {
  const listeners = new Map<string, ((ids: string[]) => void)[]>(CHANNELS.map((channel) => [channel, []]));
  const gapListeners: (() => void)[] = [];
  const pending = new Map<Channel, Set<string>>(CHANNELS.map((channel) => [channel, new Set()]));
  let sending: Promise<void> | null = null;
  let isClosed = false;

  const call = (channel: string, ids: string[]): void => {
    for (const listener of listeners.get(channel) ?? []) listener(ids);
  };

  const listening = keepListening({
    connection,
    channels: CHANNELS,
    onNotification: (channel, payload) => call(channel, payload.split(',')),
    onConnected(isFirst) {
      if (!isFirst) for (const listener of gapListeners) listener();
      send();
    },
    onTrouble,
  });

  const hasPending = (): boolean => [...pending.values()].some((ids) => ids.size > 0);

  const sendPending = async (client: pg.Client): Promise<void> => {
    for (const [channel, ids] of pending) {
      if (ids.size === 0) continue;
      const batch = [...ids];
      ids.clear();
      try {
        await client.query({ name: 'notify', text: NOTIFY, values: [channel, payloadsOf(batch)] });
      } catch (error) {
        for (const id of batch) ids.add(id);
        listening.drop(client, error);
        return;
      }
    }
  };

  const sendAndPause = async (client: pg.Client): Promise<void> => {
    await sendPending(client);
    if (!isClosed) await pause(PAUSE_MS);
  };

  /** One statement at a time, and a pause after it. Ids that arrive in between are merged into the next one. */
  const send = (): void => {
    if (sending !== null || listening.client === null || !hasPending()) return;
    sending = sendAndPause(listening.client).then(() => {
      sending = null;
      send();
    });
  };

  return {
    on(channel, listener) {
      listeners.get(channel)!.push(listener);
    },
    onGap(listener) {
      gapListeners.push(listener);
    },
    notify(channel, ids) {
      if (isClosed) return;
      call(channel, [...ids]);
      const waiting = pending.get(channel)!;
      for (const id of ids) waiting.add(id);
      send();
    },
    async close() {
      isClosed = true;
      await listening.stop();
      await sending;
      await listening.end();
    },
  };
};
