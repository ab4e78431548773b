// Measures what pending deadlines cost: credits, creations of orders, and the read of the timer, in a database with so many deadlines that
// are not due; beside the same in a database without any on the same server, in turns.
//
//   node bench/deadlines.ts [--sizes 1000000] [--seconds 3] [--rounds 3] [--markdown | --json]

import { formatInstant, systemClock } from '../server/src/base/instant.ts';
import { createDeadlineReads } from '../server/src/modules/deadlines/queries.ts';
import type { Connection } from '../server/src/postgres/connection.ts';
import { openPool } from '../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { ratio, runRounds, type Taken, typical } from '../tools/measure/rounds.ts';
import { type Bank, drive, openBank } from './bank.ts';
import { createDatabase, runSql, serverVersion } from './databases.ts';
import { type Cell, printReport, rounded } from './report.ts';

const USERS = 10_000;
const IN_FLIGHT = 64;
const BUDGET = { deadlines: 1_000_000, leastShare: 0.9 };

const options = readOptions({
  name: 'bench:deadlines',
  about: 'Measures credits, orders and the timer beside pending deadlines.',
  seconds: 3,
  rounds: 3,
  sizes: [BUDGET.deadlines],
});

/** A place to measure: its commands, and what its timer reads once a second. */
type Place = { readonly bank: Bank; readDue(): Promise<unknown> };

const KINDS = ['credits', 'orders', 'reads of the timer'] as const;
type Kind = (typeof KINDS)[number];

const ACTS: Readonly<Record<Kind, (place: Place) => (n: number) => Promise<unknown>>> = {
  credits: ({ bank }) => bank.credit,
  orders: ({ bank }) => bank.order,
  'reads of the timer': (place) => () => place.readDue(),
};

const openPlace = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Place> => {
  const bank = await openBank({ connection, users: USERS });
  cleanUp.defer(bank.close);
  await bank.warmUp();
  const pool = openPool(connection, { max: 4, onError() {} });
  cleanUp.defer(() => pool.end());
  const { listDue } = createDeadlineReads(pool);
  const readDue = () => listDue({ until: formatInstant(systemClock()), after: null, limit: 500 });
  return { bank, readDue };
};

/** Due in the next year, of orders that do not exist: the timer does not reach them. */
const fill = (connection: Connection, count: number): Promise<void> =>
  runSql(connection, [
    `insert into deadlines (marketplace_id, id, version, order_id, kind, subject, at, status, created_at, updated_at)
     select 'mkt_default', 'dln_' || n, 1, 'ord_' || n, 'auto_release', '', now() + interval '1 day' + n * interval '25 seconds',
       'PENDING', now(), now() from generate_series(1, ${count}) n`,
    'vacuum analyze deadlines',
    'checkpoint',
  ]);

const stepName = (kind: Kind, where: 'empty' | 'filled'): string => `${kind}, ${where}`;

const measureShares = (places: Readonly<Record<'empty' | 'filled', Place>>): Promise<Taken> =>
  runRounds(
    KINDS.flatMap((kind) =>
      (['empty', 'filled'] as const).map((where) => ({
        name: stepName(kind, where),
        run: () =>
          drive(places[where].bank, {
            inFlight: IN_FLIGHT,
            seconds: options.seconds,
            act: ACTS[kind](places[where]),
          }),
      })),
    ),
    options.rounds,
  );

type Measured = { readonly size: number; readonly taken: Taken };

const shareOf = ({ taken }: Measured, kind: Kind): number =>
  ratio(taken, stepName(kind, 'filled'), stepName(kind, 'empty'));

const rowsOf = (measured: Measured): Cell[][] =>
  KINDS.map((kind) => {
    const filled = typical(measured.taken, stepName(kind, 'filled'));
    const empty = typical(measured.taken, stepName(kind, 'empty'));
    return [
      measured.size,
      kind,
      Math.round(filled.perSecond),
      Math.round(empty.perSecond),
      rounded(shareOf(measured, kind), 2),
      rounded(filled.p50Ms!, 2),
      rounded(filled.p99Ms!, 2),
    ];
  });

await runBench(async (cleanUp) => {
  const postgres = await opening(cleanUp, startTemporaryPostgres({}));
  const server = postgres.connection;
  const prepared = await createDatabase(server, { name: 'prepared' });
  const first = await openBank({ connection: prepared, users: USERS });
  await first.warmUp();
  await first.close();
  await runSql(prepared, ['vacuum analyze', 'checkpoint']);

  const measured: Measured[] = [];
  for (const size of options.sizes) {
    say(`filling in ${size} deadlines`);
    await using opened = new AsyncDisposableStack();
    const filled = await createDatabase(server, { name: 'filled', template: 'prepared' });
    await fill(filled, size);
    const empty = await createDatabase(server, { name: 'fresh', template: 'prepared' });
    const places = { empty: await openPlace(empty, opened), filled: await openPlace(filled, opened) };
    measured.push({ size, taken: await measureShares(places) });
  }

  printReport(
    {
      title: 'Pending deadlines',
      postgres: await serverVersion(server),
      columns: ['pending deadlines', 'what', 'per second', 'without, per second', '× without', 'p50 ms', 'p99 ms'],
      rows: measured.flatMap(rowsOf),
      // Fewer deadlines say nothing about the budget.
      budgets: measured
        .filter(({ size }) => size >= BUDGET.deadlines)
        .flatMap((each) =>
          KINDS.map((kind) => ({
            what: `${each.size.toLocaleString('en-US')} pending deadlines, ${kind}`,
            budget: `at least ${BUDGET.leastShare * 100} % of the database without deadlines`,
            measured: `${rounded(shareOf(each, kind) * 100, 1)} %`,
            met: shareOf(each, kind) >= BUDGET.leastShare,
          })),
        ),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each, with and without deadlines in turns; ratios within a round.`,
        `${IN_FLIGHT} in flight, ${USERS.toLocaleString('en-US')} users of one marketplace, fsync on. The timer itself reads once a second.`,
      ],
    },
    options.format,
  );
});
