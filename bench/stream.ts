// Measures the event stream: many connections on one server process, events committed at a steady rate, and beside it in
// the same run the yardstick, a bare node server that writes the same frames to as many sockets.
//
//   node bench/stream.ts [--connections=10000] [--marketplaces=20,1] [--rate=100] [--seconds=10] [--markdown | --json]
//
// The rate is that of all marketplaces together; with 20 each event goes to a twentieth of the connections, with 1 to all.
// Times are from the event's own time, which is before its commit, to the client; of each read the oldest event counts.
// Each connection is a file in the server's process and one in a client's: `ulimit -n` must be above the connections.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { decimal, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { serverVersion } from './databases.ts';
import { type Budget, type Cell, printReport, rounded } from './report.ts';

type StreamOptions = {
  readonly connections: number;
  readonly marketplaces: readonly number[];
  readonly rate: number;
  readonly seconds: number;
  readonly clients: number;
  readonly markdown: boolean;
  readonly json: boolean;
};

const wholeNumbers = (text: string): number[] => text.split(',').map(whole({ from: 1 }));

const options = scriptCommand('bench:stream', 'Measures the event stream, compared with a bare server.')
  .option('--connections <number>', 'number of connections', whole({ from: 1 }), 10_000)
  .option('--marketplaces <numbers>', 'numbers of marketplaces to measure, with commas', wholeNumbers, [20, 1])
  .option('--rate <number>', 'events per second of all marketplaces', whole({ from: 1 }), 100)
  .option('--seconds <number>', 'duration of each measurement', decimal({ from: 0.1 }), 10)
  .option('--clients <number>', 'number of client processes', whole({ from: 1 }), 2)
  .option('--markdown', 'print the report as Markdown', false)
  .option('--json', 'print the report as JSON', false)
  .parse()
  .opts<StreamOptions>();
const { connections, rate, seconds } = options;
const QUIET_MS = 1_000;
const PATIENCE_MS = 30_000;
const P99_MAX_MS = 500;
const KIB_MAX = 40;

type Result = {
  server: string;
  marketplaces: number;
  lost: number;
  gaps: number;
  broken: number;
  perSecond: number;
  /** Milliseconds before the event's own time, which its delay does not contain; the bare server dates its events when they are due. */
  late: number;
  p50: number;
  p99: number;
  max: number;
  kibPerConnection: number;
  connectMs: number;
  cpu: number;
};

// biome-ignore lint/suspicious/noExplicitAny: the answers of our own child processes
type Answer = any;

const start = (file: string, args: string[] = []): ChildProcess =>
  fork(path.join(import.meta.dirname, file), args, { execArgv: ['--expose-gc'] });

/** The next message; a child that ends instead ends the measurement. */
const hear = async (child: ChildProcess): Promise<Answer> => {
  const done = new AbortController();
  const { signal } = done;
  const gone = once(child, 'exit', { signal }).then(() => {
    throw new Error('a process of the measurement ended early');
  });
  gone.catch(() => {});
  try {
    return (await Promise.race([once(child, 'message', { signal }), gone]))[0];
  } finally {
    done.abort();
  }
};

const ask = (child: ChildProcess, order: Answer): Promise<Answer> => {
  child.send(order);
  return hear(child);
};

const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
};

const percentile = (histogram: readonly number[], share: number): number => {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  return histogram.findIndex((count) => {
    seen += count;
    return seen >= total * share && seen > 0;
  });
};

const sumUp = (reports: readonly Answer[]) => {
  const counts: number[] = reports.flatMap((report) => report.counts);
  const latencies: number[] = reports[0].latencies.map((_: number, i: number) =>
    reports.reduce((sum, report) => sum + report.latencies[i], 0),
  );
  const total = (pick: 'gaps' | 'broken') => reports.reduce((sum, report) => sum + report[pick], 0);
  return { counts, latencies, gaps: total('gaps'), broken: total('broken') };
};

/** Asks until every event has arrived, or nothing more arrives. */
const gather = async (clients: readonly ChildProcess[], expected: number) => {
  const deadline = performance.now() + PATIENCE_MS;
  for (let before = -1; ; ) {
    const seen = sumUp(await Promise.all(clients.map((clients) => ask(clients, 'report'))));
    const arrived = seen.counts.reduce((sum, count) => sum + count, 0);
    if (arrived >= expected || arrived === before || performance.now() > deadline) return { ...seen, arrived };
    before = arrived;
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  }
};

const measure = async (kind: 'stream' | 'bare', marketplaces: number): Promise<Result> => {
  const server = start('stream/server.ts', [kind, JSON.stringify(postgres.connection), String(marketplaces)]);
  const { port } = await hear(server);
  const { memory: before } = await ask(server, 'memory');
  const share = connections / clients.length;
  const started = performance.now();
  await Promise.all(
    clients.map((clients, i) => ask(clients, { connect: { port, first: i * share, count: share, marketplaces } })),
  );
  const connectMs = performance.now() - started;
  const { memory: open } = await ask(server, 'memory');
  const { cpuSeconds, lateMs } = await ask(server, { emit: rate, seconds });
  const perConnection = (rate * seconds) / marketplaces;
  const seen = await gather(clients, connections * perConnection);
  const { memory: after } = await ask(server, 'memory');
  await Promise.all(clients.map((clients) => ask(clients, 'leave')));
  await stop(server);
  return {
    server: kind === 'stream' ? 'holdfast' : 'bare node server',
    marketplaces,
    lost: seen.counts.reduce((sum, count) => sum + Math.abs(perConnection - count), 0),
    gaps: seen.gaps,
    broken: seen.broken,
    perSecond: seen.arrived / seconds,
    late: kind === 'stream' ? lateMs : 0,
    p50: percentile(seen.latencies, 0.5),
    p99: percentile(seen.latencies, 0.99),
    max: seen.latencies.findLastIndex((count) => count > 0),
    kibPerConnection: Math.max(open - before, after - before) / connections / 1_024,
    connectMs,
    cpu: cpuSeconds,
  };
};

const COLUMNS = [
  'server',
  'marketplaces',
  'lost or repeated',
  'gaps',
  'broken',
  'deliveries/s',
  'sent late, p99 ms',
  'p50 ms',
  'p99 ms',
  'max ms',
  'KiB per connection',
  'connect s',
  'CPU s',
];

const rowOf = (one: Result): Cell[] => [
  one.server,
  one.marketplaces,
  one.lost,
  one.gaps,
  one.broken,
  Math.round(one.perSecond),
  Math.round(one.late),
  one.p50,
  one.p99,
  one.max,
  rounded(one.kibPerConnection, 1),
  rounded(one.connectMs / 1_000, 1),
  rounded(one.cpu, 1),
];

/** The time is met by the budget, or on a slower machine by being no slower than the bare server. */
const budgetsOf = (results: readonly Result[]): Budget[] => {
  const [ours, bare] = results as [Result, Result];
  const p99 = Math.round(ours.p99 + ours.late);
  const name = ours.marketplaces === 1 ? 'one marketplace' : `${ours.marketplaces} marketplaces`;
  return [
    {
      what: `${name}, p99`,
      budget: `under ${P99_MAX_MS} ms, or no slower than the bare server`,
      measured: `${p99} ms, the bare server ${bare.p99} ms`,
      met: p99 < P99_MAX_MS || p99 <= bare.p99,
    },
    {
      what: `${name}, memory per connection`,
      budget: `under ${KIB_MAX} KiB`,
      measured: `${rounded(ours.kibPerConnection, 1)} KiB`,
      met: ours.kibPerConnection < KIB_MAX,
    },
    {
      what: `${name}, lost events`,
      budget: 'none',
      measured: String(ours.lost + ours.gaps + ours.broken),
      met: ours.lost + ours.gaps + ours.broken === 0,
    },
  ];
};

const postgres = await startTemporaryPostgres({ max_connections: 50 });
const clients = Array.from({ length: options.clients }, () => start('stream/clients.ts'));
// Interrupted, it ends as it does when a process of it fails: with everything put away.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void clients.map(stop));
try {
  await Promise.all(clients.map(hear));
  const results: Result[] = [];
  for (const count of options.marketplaces) {
    results.push(await measure('stream', count), await measure('bare', count));
  }
  printReport(
    {
      title: 'Stream',
      postgres: await serverVersion(postgres.connection),
      columns: COLUMNS,
      rows: results.map(rowOf),
      budgets: options.marketplaces.flatMap((count) => budgetsOf(results.filter((one) => one.marketplaces === count))),
      notes: [
        `${connections} connections, ${rate} events/s for ${seconds} s; with one marketplace each event goes to every connection.`,
        'A busy server commits an event late, and the event has the time of its commit. The budget counts this delay too.',
        'Server and clients share the machine. The bare server writes frames of the same length and does nothing else.',
      ],
    },
    options.json ? 'json' : options.markdown ? 'markdown' : 'text',
  );
} finally {
  await Promise.all(clients.map(stop));
  await postgres.stop();
}
