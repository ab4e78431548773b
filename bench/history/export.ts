// Measures the export of a journal: fills a marketplace by SQL, starts the server on it, and reads the journal in every format. Shows the time,
// the speed beside a bare read of the same rows, and the memory of the server before and during each export, at two sizes.
//
//   node bench/history/export.ts [--sizes 1000000,10000000] [--markdown | --json]
//
// Ten million postings take about 20 GB of disk and a quarter of an hour to fill.

import { createHash, randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../../server/src/commit/migrate.ts';
import { type Connection, openPool } from '../../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../../server/src/postgres/embedded.ts';
import { fillMarketplace } from '../../tools/large/fill.ts';
import { opening, readOptions, runBench, say } from '../../tools/measure/options.ts';
import { createDatabase, databaseUrl, serverVersion } from '../databases.ts';
import { type Cell, printReport, rounded } from '../report.ts';
import { startServer } from '../server-process.ts';

const FORMATS = ['csv', 'jsonl', 'hledger', 'beancount'] as const;
const MEBI = 1_048_576;
const SAMPLE_MS = 100;
const FETCH_ROWS = 25_000;
/** As in a large marketplace: one order for ten postings, one user for a hundred. */
const SHARES = { orders: 10, users: 100 } as const;
/** A larger marketplace must not need more than this beside a smaller one. */
const GROWTH_MIB = 64;
/** What the last line adds to the file after the bytes that its hash is about. */
const TAIL_BYTES = 4_096;

const options = readOptions({
  name: 'bench:export',
  about: 'Measures the time and the memory of an exported journal.',
  seconds: 1,
  rounds: 1,
  sizes: [1_000_000, 10_000_000],
});

type Exported = {
  readonly size: number;
  readonly format: string;
  readonly lines: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly beforeMib: number;
  readonly peakMib: number;
  /** The speed beside the bare read of the same rows. */
  readonly share: number;
};

const residentMib = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) * 1_024) / MEBI;
};

/** Samples the memory of a process until it is stopped; the largest sample counts. */
const watchMemory = (pid: number) => {
  let peakMib = 0;
  const timer = setInterval(async () => {
    peakMib = Math.max(peakMib, await residentMib(pid).catch(() => 0));
  }, SAMPLE_MS);
  return {
    stop(): number {
      clearInterval(timer);
      return peakMib;
    },
  };
};

/** Hashes all bytes but those of the last line, which has the hash. */
const hashOfBody = () => {
  const hash = createHash('sha256');
  let held = Buffer.alloc(0);
  return {
    add(chunk: Uint8Array): void {
      const all = Buffer.concat([held, chunk]);
      const cut = Math.max(0, all.length - TAIL_BYTES);
      hash.update(all.subarray(0, cut));
      held = all.subarray(cut);
    },
    end(): { last: string; sha256: string } {
      const start = held.lastIndexOf('\n', held.length - 2) + 1;
      hash.update(held.subarray(0, start));
      return { last: held.subarray(start).toString(), sha256: hash.digest('hex') };
    },
  };
};

/** `to`: the end of the range. The filled orders of the last days end in the future. */
type Server = { readonly url: string; readonly pid: number; readonly masterKey: string; readonly to: string };

const readExport = async (
  { url, masterKey, to }: Server,
  format: string,
): Promise<{ bytes: number; lines: number }> => {
  const response = await fetch(`${url}/api/v1/exports/journal?format=${format}&to=${to}`, {
    headers: { authorization: `Bearer ${masterKey}` },
  });
  if (!response.ok) throw new Error(await response.text());
  const body = hashOfBody();
  let bytes = 0;
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    body.add(chunk);
  }
  const { last, sha256 } = body.end();
  const lines = Number(/count"?[=:] ?(\d+)/.exec(last)?.[1]);
  if (!last.includes(sha256)) throw new Error(`the file is not whole: ${last}`);
  return { bytes, lines };
};

/** The yardstick: the rows of the journal, in its order, read by a cursor and thrown away. */
const bareRead = async (connection: Connection, to: string): Promise<{ seconds: number; rows: number }> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  try {
    const started = performance.now();
    await client.query('begin');
    await client.query(`declare bare cursor for select audit_seq, seq, counter_account_id, account_id, amount, move, reference, description,
      posted_at from postings where marketplace_id = 'mkt_default' and amount > 0 and posted_at < '${to}'
      order by audit_seq, account_id collate "C", seq`);
    let rows = 0;
    for (let fetched = -1; fetched !== 0; rows += fetched) {
      fetched = (await client.query(`fetch ${FETCH_ROWS} from bare`)).rows.length;
    }
    return { seconds: (performance.now() - started) / 1_000, rows };
  } finally {
    await client.end();
  }
};

const startOn = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Server> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-export-'));
  await chmod(folder, 0o711);
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const masterKey = `master_${randomBytes(24).toString('base64url')}`;
  const env = { DATABASE_URL: databaseUrl(connection) };
  const { url, pid } = await opening(cleanUp, startServer({ folder, masterKey, env }));
  return { url, pid, masterKey, to: new Date().toISOString() };
};

const measureFormat = async (
  server: Server,
  { format, size, bare }: { format: string; size: number; bare: Awaited<ReturnType<typeof bareRead>> },
): Promise<Exported> => {
  const beforeMib = await residentMib(server.pid);
  const memory = watchMemory(server.pid);
  const started = performance.now();
  const { bytes, lines } = await readExport(server, format);
  const seconds = (performance.now() - started) / 1_000;
  const peakMib = memory.stop();
  if (lines !== bare.rows) throw new Error(`${format} has ${lines} lines, and the database has ${bare.rows} transfers`);
  say(`${size} postings, ${format}: ${rounded(seconds, 1)} s, ${rounded(peakMib, 0)} MiB`);
  return { size, format, lines, bytes, seconds, beforeMib, peakMib, share: bare.seconds / seconds };
};

const measure = async (server: Connection, size: number): Promise<Exported[]> => {
  const connection = await createDatabase(server, { name: `export_${size}` });
  const pool = openPool(connection, { max: 1, onError: (error) => console.error(error) });
  await migrate({ pool }).finally(() => pool.end());
  const sizes = { users: size / SHARES.users, orders: size / SHARES.orders, postings: size };
  await fillMarketplace(connection, { sizes, say });

  await using opened = new AsyncDisposableStack();
  const service = await startOn(connection, opened);
  const bare = await bareRead(connection, service.to);
  const measured: Exported[] = [];
  for (const format of FORMATS) measured.push(await measureFormat(service, { format, size, bare }));
  return measured;
};

const rowOf = (one: Exported): Cell[] => [
  one.size,
  one.format,
  one.lines,
  rounded(one.bytes / MEBI, 0),
  rounded(one.seconds, 1),
  Math.round(one.lines / one.seconds),
  rounded(one.share, 2),
  rounded(one.beforeMib, 0),
  rounded(one.peakMib, 0),
];

const peakAt = (measured: readonly Exported[], size: number): number =>
  Math.max(...measured.filter((one) => one.size === size).map(({ peakMib }) => peakMib));

await runBench(async (cleanUp) => {
  const postgres = await opening(cleanUp, startTemporaryPostgres({}));
  const measured: Exported[] = [];
  for (const size of options.sizes) measured.push(...(await measure(postgres.connection, size)));
  const smallest = options.sizes[0]!;
  const largest = options.sizes.at(-1)!;
  const growth = peakAt(measured, largest) - peakAt(measured, smallest);
  printReport(
    {
      title: 'Export of the journal',
      postgres: await serverVersion(postgres.connection),
      columns: [
        'postings',
        'format',
        'lines',
        'MiB',
        'seconds',
        'lines per second',
        '× bare read',
        'memory before, MiB',
        'peak memory, MiB',
      ],
      rows: measured.map(rowOf),
      budgets: [
        {
          what: `memory at ${largest.toLocaleString('en-US')} postings beside ${smallest.toLocaleString('en-US')}`,
          budget: `at most ${GROWTH_MIB} MiB more`,
          measured: `${rounded(growth, 0)} MiB more`,
          met: growth <= GROWTH_MIB,
        },
      ],
      notes: [
        'A line is one transfer, which is two postings. The client is in the same machine, and checks the hash of every file.',
        'The yardstick reads the same rows in the same order by a cursor, without any text made of them.',
        'Memory is the resident memory of the whole server process, sampled ten times a second.',
      ],
    },
    options.format,
  );
});
