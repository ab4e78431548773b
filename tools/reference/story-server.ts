// The server on which the story of the API reference is lived: a whole server with the simulators, a receiver for its webhooks, and a relay
// that keeps what the simulators send, so that the received webhooks are real examples too.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { composeServer } from '../../server/src/compose.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { NO_TRACING } from '../../server/src/observability/tracing.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { startSandboxServer } from '../../server/src/providers/sandbox-server.ts';
import { createDatabase } from '../test-database/database.ts';
import { until } from '../until.ts';

export const MASTER_KEY = 'master_of-the-story-0123456789abcdef';

const SETTINGS = {
  PORT: '0',
  SANDBOX_PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_MAX: '10000',
  DEPOSIT_POLL_S: '1',
  PUBLIC_RECEIPTS: 'on',
  OPERATOR_SECOND_FACTOR: 'optional',
};

type Listening = { readonly url: string; close(): void };

const listening = async (server: Server): Promise<Listening> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
};

const textOf = async (request: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** The shop's own receiver: it accepts everything, but for a path that has gone. */
const openReceiver = (): Promise<Listening> =>
  listening(
    createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(request.url?.endsWith('/gone') ? 410 : 204).end());
    }),
  );

/** Passes the webhooks of the simulators on to the server, and keeps them with the answers. */
const openRelay = async () => {
  const kept: { path: string; body: unknown; answer: unknown }[] = [];
  let target = '';
  const relay = createServer(async (request, response) => {
    const body = await textOf(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => !['host', 'connection', 'content-length'].includes(name)),
    ) as Record<string, string>;
    const passed = await fetch(target + request.url, { method: 'POST', headers, body });
    const answer = await passed.text();
    kept.push({ path: request.url!, body: JSON.parse(body), answer: JSON.parse(answer) });
    response.writeHead(passed.status, { 'content-type': 'application/json' }).end(answer);
  });
  const { url, close } = await listening(relay);
  return {
    url,
    kept,
    close,
    aim(at: string) {
      target = at;
    },
  };
};

export type StoryServer = Awaited<ReturnType<typeof startStoryServer>>;

export const startStoryServer = async () => {
  const database = await createDatabase();
  const read = readConfig(SETTINGS);
  if (!read.ok) throw new Error(read.problems.join(' '));
  const { config } = read;
  const sandbox = await startSandboxServer(config, { stateFile: null });
  const relay = await openRelay();
  const receiver = await openReceiver();
  const relayed = {
    ...sandbox,
    setWebhooks({ payment, escrow }: { payment: string; escrow: string }) {
      relay.aim(new URL(payment).origin);
      sandbox.setWebhooks({
        payment: relay.url + new URL(payment).pathname,
        escrow: relay.url + new URL(escrow).pathname,
      });
    },
  };
  const server = await composeServer({
    config,
    secrets: {
      masterKey: MASTER_KEY,
      jwtSecrets: ['a-signing-secret-of-the-story-0123456789'],
      walletKeks: [
        { version: 1, key: Buffer.alloc(32, 1) },
        { version: 2, key: Buffer.alloc(32, 2) },
      ],
    },
    providers: openProviders(config, { sandboxUrl: sandbox.url }),
    sandbox: relayed,
    connection: database.connection,
    log: createLog({ level: 'silent' }),
    tracing: NO_TRACING,
  });
  const url = await server.listen();
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  pool.on('error', () => {});
  return {
    url,
    sandboxUrl: sandbox.url,
    receiverUrl: receiver.url,
    relayed: relay.kept,
    /** Runs a job now and waits for its end. */
    async runJob(name: string): Promise<void> {
      const sent = await pool.query(
        'insert into pgboss.job (name, policy) select name, policy from pgboss.queue where name = $1 returning id',
        [name],
      );
      const isOver = async () => {
        const found = await pool.query("select 1 from pgboss.job where id = $1 and state = 'completed'", [
          sent.rows[0].id,
        ]);
        return found.rows.length > 0;
      };
      await until(isOver, `the job ${name} has run`);
    },
    /** The last run of a job looks as if it had failed. */
    async failJob(name: string): Promise<void> {
      await pool.query(
        `insert into pgboss.job (name, state, policy, completed_on)
         select name, 'failed', policy, now() from pgboss.queue where name = $1`,
        [name],
      );
    },
    async close(): Promise<void> {
      await server.close();
      await sandbox.close();
      relay.close();
      receiver.close();
      await pool.end();
      await database.drop();
    },
  };
};
