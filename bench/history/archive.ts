// Compares two forms of a table of postings for years of data: one table whose closed months are deleted, and one with a partition for each
// month. Inserts, reads of one account, and the removal of the oldest month, in turns on the same PostgreSQL.
//
//   node bench/history/archive.ts [rows]

import pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../../server/src/postgres/embedded.ts';
import { createDatabase } from '../databases.ts';

const ROWS = Number(process.argv[2] ?? 2_000_000);
const ACCOUNTS = 20_000;
const MONTHS = 12;
const GROUP = 64;
const INSERTS = 400;
const READS = 2_000;
const CHUNK = 2_000;
const ROUNDS = 3;
const FORMS = ['one_table', 'partitions'] as const;

type Form = (typeof FORMS)[number];

const COLUMNS = `marketplace_id text not null, account_id text not null, seq bigint not null, amount bigint not null,
  balance_after bigint not null, counter_account_id text not null, move text not null, reference text, description text,
  command_id text not null, audit_seq bigint not null, posted_at timestamptz not null`;

const FIRST = `timestamptz '2025-01-01'`;

const setUp = async (client: pg.Client): Promise<void> => {
  await client.query(`create table one_table (${COLUMNS}, primary key (marketplace_id, account_id, seq));
    create table partitions (${COLUMNS}, primary key (marketplace_id, account_id, seq, posted_at)) partition by range (posted_at)`);
  for (let month = 0; month <= MONTHS; month++) {
    const from = new Date(Date.UTC(2025, month)).toISOString();
    const to = new Date(Date.UTC(2025, month + 1)).toISOString();
    await client.query(
      `create table partitions_${month} partition of partitions for values from ('${from}') to ('${to}')`,
    );
  }
  for (const form of FORMS) {
    await client.query(`insert into ${form} select 'mkt_default', 'usr_' || lpad((n % ${ACCOUNTS})::text, 26, '0') || ':available:USD',
        n / ${ACCOUNTS} + 1, 1, n / ${ACCOUNTS} + 1, 'operator:adjustments:USD', 'credit', 'ref-' || n, null, 'cmd-' || n, n + 1,
        ${FIRST} + n * interval '${MONTHS * 30} days' / ${ROWS} from generate_series(0, ${ROWS - 1}) n`);
  }
  await client.query('vacuum analyze');
};

const timed = async (work: () => Promise<void>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

let inserted = 0;

/** Groups of the committer's size, at the newest time. */
const insert = (client: pg.Client, form: Form) =>
  timed(async () => {
    for (let group = 0; group < INSERTS; group++) {
      const base = 10_000_000 + ++inserted * GROUP;
      const text = `insert into ${form} select 'mkt_default', 'usr_' || lpad((i % ${ACCOUNTS})::text, 26, '0') || ':available:USD', i, 1, i,
        'operator:adjustments:USD', 'credit', null, null, 'cmd-' || i, i, timestamptz '2026-01-15' from generate_series($1::bigint, $2::bigint) i`;
      await client.query({ name: `insert-${form}`, text, values: [base, base + GROUP - 1] });
    }
  });

/** A page of a statement: twenty postings of one account by their numbers, as the halving search and the lines read them. */
const read = (client: pg.Client, form: Form) =>
  timed(async () => {
    const text = `select * from ${form} where marketplace_id = 'mkt_default' and account_id = $1 and seq > $2 order by seq limit 20`;
    for (let n = 0; n < READS; n++) {
      const account = `usr_${String((n * 7_919) % ACCOUNTS).padStart(26, '0')}:available:USD`;
      await client.query({ name: `read-${form}`, text, values: [account, 10] });
    }
  });

/** Deletes the oldest month account by account, in transactions of some thousand rows. */
const removeRows = (client: pg.Client) =>
  timed(async () => {
    const perAccount = Math.floor(ROWS / MONTHS / ACCOUNTS);
    const accounts = Math.max(1, Math.floor(CHUNK / perAccount));
    for (let first = 0; first < ACCOUNTS; first += accounts) {
      await client.query(
        `delete from one_table p using generate_series($1::int, $2::int) i where p.marketplace_id = 'mkt_default'
           and p.account_id = 'usr_' || lpad(i::text, 26, '0') || ':available:USD' and p.seq <= $3`,
        [first, Math.min(first + accounts, ACCOUNTS) - 1, perAccount],
      );
    }
  });

const median = (values: readonly number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1]!;

const measure = async (connection: Connection): Promise<void> => {
  const client = new pg.Client(connection as pg.ClientConfig);
  await client.connect();
  await setUp(client);
  const taken = {
    insert: { one_table: [] as number[], partitions: [] as number[] },
    read: { one_table: [] as number[], partitions: [] as number[] },
  };
  for (let round = 0; round < ROUNDS; round++) {
    for (const form of round % 2 === 0 ? FORMS : FORMS.toReversed()) {
      taken.insert[form].push(await insert(client, form));
      taken.read[form].push(await read(client, form));
    }
  }
  const removed = await removeRows(client);
  const vacuumed = await timed(async () => void (await client.query('vacuum one_table')));
  const dropped = await timed(async () => void (await client.query('drop table partitions_0')));
  await client.end();
  const line = (
    what: string,
    { one_table, partitions }: { one_table: readonly number[]; partitions: readonly number[] },
    per: number,
  ) => {
    const [a, b] = [median(one_table) / per, median(partitions) / per].map((ms) => ms * 1_000);
    process.stdout.write(`| ${what} | ${a!.toFixed(0)} µs | ${b!.toFixed(0)} µs | ${(b! / a!).toFixed(2)} |\n`);
  };
  process.stdout.write('| | one table | partitions | partitions / one table |\n|---|---:|---:|---:|\n');
  line(`insert of a group of ${GROUP} postings`, taken.insert, INSERTS);
  line('page of one account by its numbers', taken.read, READS);
  process.stdout.write(
    `| removal of the oldest month (${Math.floor(ROWS / MONTHS)} rows) | ${(removed / 1_000).toFixed(1)} s, vacuum ${(vacuumed / 1_000).toFixed(1)} s | ${(dropped / 1_000).toFixed(2)} s | |\n`,
  );
};

const postgres = await startTemporaryPostgres();
try {
  await measure(await createDatabase(postgres.connection, { name: 'archive' }));
} finally {
  await postgres.stop();
}
