// Wakes other parts and other processes: "something changed for these ids, look". It rides on PostgreSQL's NOTIFY over
// one connection of its own, and never inside a committing transaction: commits that notify wait for each other. A lost
// call only delays, so whoever is woken must also look from time to time, and look at everything after a gap.

import pg from 'pg';
import type { Connection } from '../postgres/connection.ts';

export const CHANNELS = ['holdfast_events', 'holdfast_keys'] as const;
export type Channel = (typeof CHANNELS)[number];

export type Wake = {
  on(channel: Channel, listener: (ids: string[]) => void): void;
  /** Called after the connection was lost and found again: any call may have been missed. */
  onGap(listener: () => void): void;
  /** Calls this process's listeners at once and the other processes' soon. Ids hold no comma. */
  notify(channel: Channel, ids: readonly string[]): void;
  close(): Promise<void>;
};

export type WakeOptions = { connection: Connection; onTrouble(message: string, error: unknown): void };

/** PostgreSQL refuses 8,000 bytes and more. */
const PAYLOAD_BYTES_MAX = 7_900;
const QUERY_TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 15_000;
const BACK_OFF_MS = { first: 50, max: 5_000 };

const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload';

/** Joined with commas, in as few payloads as the limit allows. */
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

export const createWake = ({ connection, onTrouble }: WakeOptions): Wake => {
  const listeners = new Map<string, ((ids: string[]) => void)[]>(CHANNELS.map((channel) => [channel, []]));
  const gapListeners: (() => void)[] = [];
  const pending = new Map<Channel, Set<string>>(CHANNELS.map((channel) => [channel, new Set()]));
  let client: pg.Client | null = null;
  let everConnected = false;
  let backOffMs = BACK_OFF_MS.first;
  let retry: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let closed = false;
  let connecting: Promise<void>;

  const call = (channel: string, ids: string[]): void => {
    for (const listener of listeners.get(channel) ?? []) listener(ids);
  };

  const lose = (lost: pg.Client, error: unknown): void => {
    lost.end().catch(() => {});
    if (client !== lost || closed) return;
    client = null;
    onTrouble('the wake-up connection was lost; connecting again', error);
    reconnectLater();
  };

  const reconnectLater = (): void => {
    const jitter = 0.5 + Math.random() / 2;
    retry = setTimeout(() => {
      connecting = connect();
    }, backOffMs * jitter);
    backOffMs = Math.min(backOffMs * 2, BACK_OFF_MS.max);
  };

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      ...connection,
      application_name: 'holdfast-wake',
      keepAlive: true,
      connectionTimeoutMillis: QUERY_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
    });
    fresh.on('error', (error) => lose(fresh, error));
    fresh.on('end', () => lose(fresh, new Error('the connection ended')));
    fresh.on('notification', ({ channel, payload, processId }) => {
      // Our own listeners were called before it was sent.
      if (payload && processId !== (fresh as unknown as { processID: number }).processID) {
        call(channel, payload.split(','));
      }
    });
    try {
      await fresh.connect();
      await fresh.query(CHANNELS.map((channel) => `listen ${channel}`).join('; '));
    } catch (error) {
      await fresh.end().catch(() => {});
      if (closed) return;
      onTrouble('the wake-up connection cannot be made; trying again', error);
      reconnectLater();
      return;
    }
    if (closed) {
      await fresh.end().catch(() => {});
      return;
    }
    client = fresh;
    backOffMs = BACK_OFF_MS.first;
    if (everConnected) for (const listener of gapListeners) listener();
    everConnected = true;
    send();
  };

  const hasPending = (): boolean => [...pending.values()].some((ids) => ids.size > 0);

  const sendAll = async (through: pg.Client): Promise<void> => {
    for (const [channel, ids] of pending) {
      if (ids.size === 0) continue;
      const taken = [...ids];
      ids.clear();
      try {
        await through.query({ name: 'notify', text: NOTIFY, values: [channel, payloadsOf(taken)] });
      } catch (error) {
        for (const id of taken) ids.add(id);
        lose(through, error);
        return;
      }
    }
  };

  /** One call in flight; what comes meanwhile is merged into the next. */
  const send = (): void => {
    if (sending !== null || client === null || !hasPending()) return;
    sending = sendAll(client).then(() => {
      sending = null;
      send();
    });
  };

  // A connection that died silently says nothing, and would do so for hours.
  const heartbeat = setInterval(() => {
    const through = client;
    through?.query('select 1').catch((error) => lose(through, error));
  }, HEARTBEAT_MS);
  heartbeat.unref();
  connecting = connect();

  return {
    on(channel, listener) {
      listeners.get(channel)!.push(listener);
    },
    onGap(listener) {
      gapListeners.push(listener);
    },
    notify(channel, ids) {
      if (closed) return;
      call(channel, [...ids]);
      const waiting = pending.get(channel)!;
      for (const id of ids) waiting.add(id);
      send();
    },
    async close() {
      closed = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await connecting;
      await sending;
      await client?.end().catch(() => {});
      client = null;
    },
  };
};
