// `npm run scale -- --servers N`: several servers on one PostgreSQL, behind HAProxy and with Redis where they are installed,
// on this machine and in temporary folders. Prints the addresses, then once a second the requests of each server. Ctrl-C
// stops everything.

import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endInterrupted, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import type { Place } from '../tools/cluster/balancer.ts';
import { type Cluster, openStage, startCluster } from '../tools/cluster/cluster.ts';
import { startDatabase, urlOf } from '../tools/cluster/database.ts';
import { startRedis } from '../tools/cluster/redis.ts';
import { runSandbox } from '../tools/drills/sandbox.ts';

const values = scriptCommand(
  'scale',
  'Starts several servers behind a load balancer, on one PostgreSQL. Ctrl-C stops everything and deletes the data.',
)
  .option('--servers <number>', 'number of servers', whole({ from: 1, to: 32 }), 2)
  .option(
    '--port <number>',
    'port of the load balancer; of the first server without HAProxy',
    whole({ from: 1, to: 65_535 }),
    4_000,
  )
  .option('--seconds <number>', 'duration; until Ctrl-C when left out', decimal({ from: 0 }))
  .option('--sandbox', 'with the simulators of the outside systems', false)
  .parse()
  .opts<{ servers: number; port: number; seconds?: number; sandbox: boolean }>();
const { servers: count, port, seconds } = values;
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

/** Runs before anything is started, so that a taken port is reported at once. */
const refuseTaken = async (): Promise<void> => {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? `Port ${port} is taken by another program.` : `Port ${port}: ${message}.`;
    process.stderr.write(`${why} Choose another with --port.\n`);
    process.exit(1);
  }
  probe.close();
  await once(probe, 'close');
};

const interruption = watchInterruption();

const show = (rows: readonly (readonly [string, string, number | string])[]): void => {
  const width = Math.max(...rows.map(([, where]) => where.length));
  for (const [what, where, pid] of rows) console.log(`  ${what.padEnd(14)} ${where.padEnd(width)}  ${pid}`);
};

const lineOf = (now: readonly Place[], before: readonly Place[]): string => {
  const parts = now.map(({ isIn, requests }, i) => {
    const fresh = Math.max(0, requests - (before[i]?.requests ?? 0));
    return `server ${i + 1} ${isIn ? 'in ' : 'OUT'} ${String(fresh).padStart(6)}/s`;
  });
  return `${new Date().toISOString().slice(11, 19)}  ${parts.join('   ')}`;
};

const watch = async ({ balancer }: Cluster): Promise<void> => {
  const end = Date.now() + (seconds ?? Infinity) * 1_000;
  let before = (await balancer?.readPlaces()) ?? [];
  while (!interruption.aborted && Date.now() < end) {
    await pause(1_000, null, { signal: interruption }).catch(() => {});
    if (interruption.aborted) return;
    if (balancer === null) continue;
    const now = await balancer.readPlaces();
    console.log(lineOf(now, before));
    before = now;
  }
};

const run = async (): Promise<void> => {
  await using cleanUp = new AsyncDisposableStack();
  const stage = openStage(cleanUp);
  const postgres = await startDatabase(stage, count);
  interruption.throwIfAborted();
  const redis = await startRedis(await stage.folder());
  if (redis) stage.afterwards(redis.stop);
  const simulators = values.sandbox ? await runSandbox(stage, `http://127.0.0.1:${port}`) : null;
  interruption.throwIfAborted();
  console.log(`Starting ${count} servers`);
  const cluster = await startCluster(stage, {
    servers: count,
    port,
    databaseUrl: urlOf(postgres.connection),
    redisUrl: redis?.url ?? null,
    env: simulators?.settings ?? {},
  });

  console.log('');
  show([
    ['', 'address', 'process'],
    cluster.balancer
      ? ['HAProxy', `${cluster.url}/api/v1`, cluster.balancer.pid]
      : ['HAProxy', 'not installed (apt-get install haproxy): send requests to any server', '–'],
    ...cluster.servers.map(({ url, pid }, i) => [`server ${i + 1}`, url, pid()] as const),
    ['PostgreSQL', `socket in ${postgres.connection.host}`, postgres.pid],
    redis ? ['Redis', redis.url, redis.pid] : ['Redis', 'not installed: each server counts requests separately', '–'],
    ...(simulators
      ? [['sandbox', simulators.settings.LEDGER_URL!.replace('/ledger', ''), simulators.program.pid()] as const]
      : []),
  ]);
  console.log(`\nMaster key: ${cluster.masterKey}\nCtrl-C stops everything and deletes the data.\n`);
  await watch(cluster);
  console.log('Stopping: running requests are finished first');
};

await refuseTaken();
// An interrupted start fails at some point: only the interruption is reported.
await run().catch((error) => endInterrupted(interruption, interruption.reason ?? error));
