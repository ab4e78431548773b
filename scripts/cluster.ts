// `npm run cluster -- --workers N`: a distributed PostgreSQL (a coordinator and some workers with Citus) and a server on it, on this machine and in
// temporary folders. Prints the addresses, and where each marketplace lives whenever that changes. Ctrl-C stops everything.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { migrate } from '../server/src/commit/migrate.ts';
import { distribute } from '../server/src/distributed/distribute.ts';
import { endInterrupted, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, notEmpty, printLine, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { openStage } from '../tools/cluster/cluster.ts';
import { urlOf } from '../tools/cluster/database.ts';
import { buildPrograms } from '../tools/distributed/build.ts';
import { type Node, type Nodes, startNodes } from '../tools/distributed/nodes.ts';
import { placeLines, readPlaces } from '../tools/distributed/places.ts';
import { findPrograms, type Programs } from '../tools/distributed/programs.ts';
import { runSandbox } from '../tools/drills/sandbox.ts';
import { runService, type Service } from '../tools/drills/server.ts';
import type { Stage } from '../tools/drills/stage.ts';

const values = scriptCommand(
  'cluster',
  'Starts a server on a coordinator and some workers of PostgreSQL with Citus. Ctrl-C stops everything and deletes the data.',
)
  .option('--workers <number>', 'number of workers', whole({ from: 1, to: 16 }), 2)
  .option('--shards <number>', 'shards of each table', whole({ from: 1, to: 128 }), 8)
  .option('--source <folder>', 'build Citus from this source folder instead of using an installed one', notEmpty)
  .option('--port <number>', 'port of the server', whole({ from: 1, to: 65_535 }), 4_000)
  .option('--seconds <number>', 'duration; until Ctrl-C when left out', decimal({ from: 0 }))
  .option('--sandbox', 'with the simulators of the outside systems', false)
  .parse()
  .opts<{
    workers: number;
    shards: number;
    source?: string;
    port: number;
    seconds?: number;
    sandbox: boolean;
  }>();
const { port, seconds } = values;
const MISSING =
  'Citus is not installed for any PostgreSQL of this machine. Install it, or name a folder with its source by --source.';
/** The data is deleted at the end. With waits for the disk the tables took more than a minute to distribute. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const interruption = watchInterruption();

/** Runs before anything is started, so that a taken port is reported at once. */
const isTaken = async (): Promise<boolean> => {
  const probe = createServer().listen(port, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch {
    return true;
  }
  probe.close();
  await once(probe, 'close');
  return false;
};

const choosePrograms = async (): Promise<Programs | null> =>
  values.source === undefined
    ? findPrograms()
    : buildPrograms({ source: path.resolve(values.source), signal: interruption, say: printLine });

const prepareDatabase = async ({ coordinator }: Nodes): Promise<void> => {
  const pool = new pg.Pool({ ...coordinator.connection, max: 1 });
  const client = new pg.Client(coordinator.connection);
  await client.connect();
  try {
    await migrate({ pool });
    await client.query(`set citus.shard_count to ${values.shards}`);
    const tables = await distribute(client, () => interruption.throwIfAborted());
    printLine(`Distributed ${tables.length} tables, each into ${values.shards} shards`);
  } finally {
    await client.end();
    await pool.end();
  }
};

const startServer = async (stage: Stage, { connection }: Node): Promise<{ service: Service; masterKey: string }> => {
  const simulators = values.sandbox ? await runSandbox(stage, `http://127.0.0.1:${port}`) : null;
  const masterKey = `master_${randomBytes(24).toString('hex')}`;
  const env = { ...simulators?.settings, DATABASE_URL: urlOf(connection), MASTER_KEY: masterKey };
  const service = await runService(stage, { dataDir: await stage.folder(), port, env });
  stage.afterwards(service.stop);
  return { service, masterKey };
};

const watch = async ({ coordinator, workers }: Nodes): Promise<void> => {
  const names = new Map([coordinator, ...workers].map(({ name, connection }) => [connection.host, name]));
  const client = new pg.Client(coordinator.connection);
  await client.connect();
  const end = Date.now() + (seconds ?? Infinity) * 1_000;
  let shown: string | null = null;
  try {
    while (!interruption.aborted && Date.now() < end) {
      const places = await readPlaces(client, (address) => names.get(address) ?? address);
      const text = places.length === 0 ? '  There is no marketplace yet.' : placeLines(places).join('\n');
      if (text !== shown)
        printLine(`${new Date().toISOString().slice(11, 19)}  Where the marketplaces live\n${text}\n`);
      shown = text;
      await pause(1_000, null, { signal: interruption }).catch(() => {});
    }
  } finally {
    await client.end();
  }
};

const run = async (programs: Programs): Promise<void> => {
  await using cleanUp = new AsyncDisposableStack();
  const stage = openStage(cleanUp);
  const folder = await stage.folder();
  printLine(
    `Starting a coordinator and ${values.workers} ${values.workers === 1 ? 'worker' : 'workers'}: ${programs.version}`,
  );
  const nodes = await startNodes({ programs, folder, workers: values.workers, settings: SETTINGS });
  stage.afterwards(nodes.stop);
  interruption.throwIfAborted();
  await prepareDatabase(nodes);
  printLine('Starting the server');
  const { service, masterKey } = await startServer(stage, nodes.coordinator);
  interruption.throwIfAborted();
  const rows: readonly (readonly [string, string, number])[] = [
    ['server', `${service.url}/api/v1`, service.pid()],
    ...[nodes.coordinator, ...nodes.workers].map(
      (node) => [node.name, `socket in ${node.connection.host}`, node.pid()] as const,
    ),
  ];
  const width = Math.max(...rows.map(([, where]) => where.length));
  printLine('');
  for (const [what, where, pid] of rows) printLine(`  ${what.padEnd(12)} ${where.padEnd(width)}  process ${pid}`);
  printLine(`\nMaster key: ${masterKey}\nCtrl-C stops everything and deletes the data.\n`);
  await watch(nodes);
  printLine('Stopping: running requests are finished first');
};

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

if (await isTaken()) fail(`Port ${port} is taken by another program. Choose another with --port.`);
const programs = await choosePrograms().catch((error: Error) => {
  interruption.throwIfAborted();
  return fail(error.message);
});
// An interrupted start fails at some point: only the interruption is reported.
await run(programs ?? fail(MISSING)).catch((error) => endInterrupted(interruption, interruption.reason ?? error));
