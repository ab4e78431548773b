// The connection of the notifier: listens on its channels, reconnects after a loss with growing waits, and checks with a heartbeat
// that the connection still answers.

import pg from 'pg';
import { backOffMs } from '../base/wait.ts';
import type { Connection } from './connection.ts';

type Options = {
  readonly connection: Connection;
  readonly channels: readonly string[];
  /** A notification of another process. */
  onNotification(channel: string, payload: string): void;
  /** `isFirst` is false after a loss: notifications sent in between are missing. */
  onConnected(isFirst: boolean): void;
  onTrouble(message: string, error: unknown): void;
};

type NotifierConnection = {
  /** Null while there is no connection. */
  readonly client: pg.Client | null;
  /** Drops a client whose query failed, and connects again. */
  drop(client: pg.Client, error: unknown): void;
  /** No new connection is made after this; waits for one that is being made. */
  stop(): Promise<void>;
  /** Ends the connection. Only after `stop`. */
  end(): Promise<void>;
};

const QUERY_TIMEOUT_MS = 5_000;
const HEARTBEAT_MS = 15_000;
const BACK_OFF = { firstMs: 50, maxMs: 5_000 };

const endQuietly = (client: pg.Client): Promise<void> => client.end().catch(() => {});

const newClient = (
  { connection, onNotification }: Options,
  onLost: (client: pg.Client, error: unknown) => void,
): pg.Client => {
  const client = new pg.Client({
    ...connection,
    application_name: 'holdfast-notifier',
    keepAlive: true,
    connectionTimeoutMillis: QUERY_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  client.on('error', (error) => onLost(client, error));
  client.on('end', () => onLost(client, new Error('the connection ended')));
  client.on('notification', ({ channel, payload, processId }) => {
    // The listeners of this process were called before the notification was sent.
    const isOwn = processId === (client as unknown as { processID: number }).processID;
    if (payload && !isOwn) onNotification(channel, payload);
  });
  return client;
};

export const keepListening = (options: Options): NotifierConnection => {
  const { channels, onConnected, onTrouble } = options;
  let client: pg.Client | null = null;
  let isFirst = true;
  let failures = 0;
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  let connecting: Promise<void>;

  const drop = (lost: pg.Client, error: unknown): void => {
    void endQuietly(lost);
    if (client !== lost || isStopped) return;
    client = null;
    onTrouble('the notifier lost its database connection and connects again', error);
    reconnectLater();
  };

  const reconnectLater = (): void => {
    const jitter = 0.5 + Math.random() / 2;
    const reconnect = (): void => {
      connecting = connect();
    };
    retry = setTimeout(reconnect, backOffMs(BACK_OFF, ++failures) * jitter);
  };

  const connect = async (): Promise<void> => {
    const fresh = newClient(options, drop);
    try {
      await fresh.connect();
      await fresh.query(channels.map((channel) => `listen ${channel}`).join('; '));
    } catch (error) {
      await endQuietly(fresh);
      if (isStopped) return;
      onTrouble('the notifier cannot connect to the database and tries again', error);
      reconnectLater();
      return;
    }
    if (isStopped) {
      await endQuietly(fresh);
      return;
    }
    client = fresh;
    failures = 0;
    const wasFirst = isFirst;
    isFirst = false;
    onConnected(wasFirst);
  };

  // A connection that died silently reports nothing for hours.
  const heartbeat = setInterval(() => {
    const checked = client;
    checked?.query('select 1').catch((error) => drop(checked, error));
  }, HEARTBEAT_MS);
  heartbeat.unref();
  connecting = connect();

  return {
    get client() {
      return client;
    },
    drop,
    async stop() {
      isStopped = true;
      clearInterval(heartbeat);
      clearTimeout(retry);
      await connecting;
    },
    async end() {
      if (client) await endQuietly(client);
      client = null;
    },
  };
};
