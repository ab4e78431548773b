// `npm run scale -- --servers N`: several servers behind a load balancer on one PostgreSQL, with Redis for the limits, all
// on this machine and in temporary folders. Says what runs where, then once a second what each server was given. Ctrl-C
// ends everything.

import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runSandbox } from '../drills/sandbox.ts';
import type { Place } from './balancer.ts';
import { type Cluster, openStage, startCluster } from './cluster.ts';
import { startDatabase, urlOf } from './database.ts';
import { startRedis } from './redis.ts';

const USAGE = 'npm run scale -- [--servers 2] [--port 4000] [--seconds S] [--sandbox] [--own-balancer]';
const SERVERS_MAX = 32;

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '2' },
    port: { type: 'string', default: '4000' },
    seconds: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    'own-balancer': { type: 'boolean', default: false },
  },
});
const [count, port, seconds] = [Number(values.servers), Number(values.port), Number(values.seconds ?? Infinity)];
if (!Number.isInteger(count) || count < 1 || count > SERVERS_MAX || !(port > 0 && port < 65_536) || !(seconds >= 0)) {
  console.error(USAGE);
  process.exit(2);
}
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/holdfast-tests');

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interruption.abort());

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
  const end = Date.now() + seconds * 1_000;
  let before = await balancer.look();
  while (!interruption.signal.aborted && Date.now() < end) {
    await pause(1_000, null, { signal: interruption.signal }).catch(() => {});
    if (interruption.signal.aborted) return;
    const now = await balancer.look();
    console.log(lineOf(now, before));
    before = now;
  }
};

await using cleanUp = new AsyncDisposableStack();
const stage = openStage(cleanUp);
const postgres = await startDatabase(stage, count);
const redis = await startRedis(await stage.folder());
if (redis) stage.afterwards(redis.stop);
const twins = values.sandbox ? await runSandbox(stage, `http://127.0.0.1:${port}`) : null;
console.log(`Starting ${count} servers`);
const cluster = await startCluster(stage, {
  ...{ servers: count, port, databaseUrl: urlOf(postgres.connection), redisUrl: redis?.url ?? null },
  ...{ env: twins?.settings ?? {}, ownBalancer: values['own-balancer'] },
});

console.log('');
show([
  ['', 'address', 'process'],
  [cluster.balancer.name === 'HAProxy' ? 'HAProxy' : 'balancer', `${cluster.url}/api/v1`, cluster.balancer.pid],
  ...cluster.servers.map(({ url, pid }, i) => [`server ${i + 1}`, url, pid()] as const),
  ['PostgreSQL', `socket in ${postgres.connection.host}`, postgres.pid],
  redis ? ['Redis', redis.url, redis.pid] : ['Redis', 'not installed: each server counts requests for itself', '–'],
  ...(twins ? [['sandbox', twins.settings.LEDGER_URL!.replace('/ledger', ''), twins.program.pid()] as const] : []),
]);
console.log(`\nMaster key: ${cluster.masterKey}\nCtrl-C ends everything; what was written is gone then.\n`);
await watch(cluster);
console.log('Stopping: what is under way is finished first');
