// A whole server for one test: its own database, everything wired as in production, listening on a free port. Requests
// go over real sockets.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import pg from 'pg';
import { composeServer } from '../../server/src/compose.ts';
import { type Env, readConfig } from '../../server/src/config/config.ts';
import type { KeySource } from '../../server/src/ledger/keys/key-ring.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { NO_TRACING } from '../../server/src/observability/tracing.ts';
import { openProviders, type Providers } from '../../server/src/providers/providers.ts';
import { startSandboxServer } from '../../server/src/providers/sandbox-server.ts';
import { httpRequest } from '../../tools/processes/http-request.ts';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

export const MASTER_KEY = 'master_of-the-tests-0123456789abcdef';
export const WALLET_KEKS = [{ version: 1, key: Buffer.alloc(32, 7) }];
const SETTINGS: Env = {
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_MAX: '1000000',
  // Each connection took PostgreSQL 5 ms of CPU, and a server opens all its connections when its jobs start.
  DATABASE_POOL_MAX: '3',
  // A test that waits for a deposit reads the ledger more often.
  DEPOSIT_POLL_S: '60',
};
const JWT_SECRET = 'a-secret-of-the-tests-0123456789abcdef';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
export type Answer = { status: number; headers: Headers; body: any; text: string };

/** For example `404 ORDER_NOT_FOUND`; `200 undefined` for a success. */
export const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>): string => `${status} ${body?.error?.code}`;

export type Ask = { key?: string | null; body?: unknown; headers?: Record<string, string> };

export type NewUser = Ask & {
  /** Money on the available balance. */
  readonly available?: string;
  /** The currency of that money; the base currency of the service unless another is given. */
  readonly currency?: string;
  readonly hasEmail?: boolean;
};

export type TestApp = {
  readonly url: string;
  /** The marketplace of the key with every scope. */
  readonly marketplaceId: string;
  /** The URL of the simulators; null without them. */
  readonly sandboxUrl: string | null;
  readonly connection: pg.ClientConfig;
  /** `POST /users` or `GET /users/x`, relative to /api/v1; the key with every scope is used unless another is given. */
  call(request: string, ask?: Ask): Promise<Answer>;
  /** A new API key. */
  key(scopes: readonly string[], marketplaceId?: string): Promise<string>;
  /** The id of a new user. */
  aUser(wanted?: NewUser): Promise<string>;
  /** Reads the database, for data that no route shows. */
  // biome-ignore lint/suspicious/noExplicitAny: rows of any table
  sql(text: string, values?: unknown[]): Promise<any[]>;
  /** The link that the welcome of a server shows while there is no operator. */
  firstAdminUrl(): Promise<string | null>;
  close(): Promise<void>;
};

let made = 0;

type Options = {
  env?: Env;
  connection?: pg.ClientConfig;
  sandbox?: boolean;
  /** The source of the key-encryption keys; the key of the tests without it. */
  keySource?: KeySource;
  /** The database was restored from a backup of this time. */
  restored?: { readonly takenAt: string | null };
  /** The same providers, for a test that records what the server asks them for. */
  through?: (providers: Providers) => Providers;
};

/** The server, not listening yet, with its database and its simulators. */
const openServer = async (options: Options) => {
  const database = options.connection ? null : await createDatabase();
  const connection = options.connection ?? database!.connection;
  const read = readConfig({ ...SETTINGS, ...options.env });
  if (!read.ok) throw new Error(read.problems.join(' '));

  const { through = (providers) => providers } = options;
  const sandbox = options.sandbox ? await startSandboxServer(read.config, { stateFile: null }) : null;
  const server = await composeServer({
    config: read.config,
    secrets: { masterKey: MASTER_KEY, jwtSecrets: [JWT_SECRET], walletKeks: WALLET_KEKS },
    providers: through(openProviders(read.config, { sandboxUrl: sandbox?.url ?? null })),
    ...(sandbox ? { sandbox } : {}),
    ...(options.keySource ? { keySource: options.keySource } : {}),
    ...(options.restored ? { restored: options.restored } : {}),
    connection,
    log: createLog({ level: read.config.observe.logLevel }),
    tracing: NO_TRACING,
  }).catch(async (error) => {
    // A failed start leaves nothing open: the test process would wait for open handles.
    await sandbox?.close();
    await database?.drop();
    throw error;
  });
  return { server, sandbox, database, connection };
};

export const startApp = async (t: Hooks, options: Options = {}): Promise<TestApp> => {
  const { server, sandbox, database, connection } = await openServer(options);
  const url = await server.listen();
  const pool = new pg.Pool({ ...connection, max: 1 });
  pool.on('error', () => {});
  let closed: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closed ??= server.close();
    return closed;
  };
  afterwards(t, async () => {
    await close();
    await sandbox?.close();
    await pool.end();
    await database?.drop();
  });

  const call = async (request: string, { key, body, headers }: Ask = {}): Promise<Answer> => {
    const [method, path] = request.split(' ') as [string, string];
    const bearer = key === undefined ? await anyKey() : key;
    const answer = await httpRequest(`${url}/api/v1${path}`, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return { ...answer, body: isJson ? JSON.parse(answer.text) : undefined };
  };

  const key = async (scopes: readonly string[], marketplaceId = DEFAULT_MARKETPLACE): Promise<string> => {
    const answer = await call('POST /auth/api-keys', {
      key: MASTER_KEY,
      body: { name: `key ${++made}`, scopes, marketplaceId },
    });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data.key;
  };

  let every: Promise<string> | null = null;
  const anyKey = (): Promise<string> => {
    every ??= key(['*']);
    return every;
  };

  return {
    url,
    marketplaceId: DEFAULT_MARKETPLACE,
    sandboxUrl: sandbox?.url ?? null,
    connection,
    call,
    key,
    async aUser({ available, currency, hasEmail = false, ...ask } = {}) {
      const externalUserId = `user-${++made}`;
      const email = hasEmail ? { email: `${externalUserId}@shop.example` } : {};
      const created = await call('POST /users', { body: { externalUserId, ...email }, ...ask });
      if (created.status !== 201) throw new Error(created.text);
      const { id } = created.body.data;
      if (available) {
        // Without a currency the service uses its base currency.
        const body = { amount: available, ...(currency === undefined ? {} : { currency }) };
        const credited = await call(`POST /users/${id}/balance/credit`, { ...ask, body });
        if (credited.status !== 200) throw new Error(credited.text);
      }
      return id;
    },
    firstAdminUrl: server.firstAdminUrl,
    sql: async (text, values) => (await pool.query(text, values)).rows,
    close,
  };
};
