// Measures what growth costs: credits, creations of orders and lists at 64 in flight, spread over ten thousand users, in a database that
// already holds so many postings; beside the same in a fresh database on the same server, in turns. Afterwards both kinds of proof.
//
//   node bench/growth.ts [--sizes 0,1000000,10000000] [--seconds 3] [--rounds 3] [--records] [--markdown | --json]
//
// The postings are filled in by SQL, consistently, so that the proof is made over all of them. Events and audit entries
// are filled in only with --records, which takes about three times as long and as much disk.

import type { Proof } from '../server/src/books/proof-checks.ts';
import type { Connection } from '../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { ratio, runRounds, type Taken, typical } from '../tools/measure/rounds.ts';
import { type Bank, drive, openBank } from './bank.ts';
import { createDatabase, runSql, serverVersion } from './databases.ts';
import { fillPostings } from './fill.ts';
import { type Cell, printReport, rounded } from './report.ts';

const USERS = 10_000;
const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 1;
/** What a busy marketplace posts between two proofs of the job, in part. */
const CREDITS_SINCE_CHECKPOINT = 20_000;
const BUDGET = { postings: 10_000_000, leastShare: 0.8 };

const options = readOptions({
  name: 'bench:growth',
  about: 'Measures credits, orders, lists and proofs in databases of growing size.',
  seconds: 3,
  rounds: 3,
  sizes: [0, 1_000_000, 10_000_000],
});

type Measured = {
  readonly size: number;
  readonly shares: Readonly<Record<Kind, number>>;
  readonly row: readonly Cell[];
};

/** What is measured in both databases. */
const KINDS = ['credits', 'orders', 'lists'] as const;
type Kind = (typeof KINDS)[number];

const ACTS: Readonly<Record<Kind, (bank: Bank) => (n: number) => Promise<unknown>>> = {
  credits: (bank) => bank.credit,
  orders: (bank) => bank.order,
  lists: (bank) => bank.list,
};

const openWarm = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Bank> => {
  const bank = await openBank({ connection, users: USERS });
  cleanUp.defer(bank.close);
  await bank.warmUp();
  for (const kind of KINDS) await drive(bank, { inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS, act: ACTS[kind](bank) });
  return bank;
};

const secondsOf = async (prove: () => Promise<Proof>): Promise<number> => {
  const started = performance.now();
  const proof = await prove();
  if (!proof.holds) throw new Error(`the books do not add up: ${JSON.stringify(proof.checks)}`);
  return (performance.now() - started) / 1_000;
};

/** The full proof, and the one that begins at its checkpoint after as many credits at every size. */
const timeProofs = async (bank: Bank): Promise<{ full: number; recent: number }> => {
  await secondsOf(bank.proveAndMark);
  const full = await secondsOf(bank.prove);
  await bank.creditTimes(CREDITS_SINCE_CHECKPOINT);
  return { full, recent: await secondsOf(bank.proveSinceMark) };
};

const stepName = (kind: Kind, where: 'fresh' | 'grown'): string => `${kind}, ${where}`;

const measureShares = async (banks: Readonly<Record<'fresh' | 'grown', Bank>>): Promise<Taken> => {
  const steps = KINDS.flatMap((kind) =>
    (['fresh', 'grown'] as const).map((where) => ({
      name: stepName(kind, where),
      run: () => drive(banks[where], { inFlight: IN_FLIGHT, seconds: options.seconds, act: ACTS[kind](banks[where]) }),
    })),
  );
  return runRounds(steps, options.rounds);
};

const shareOf = (taken: Taken, kind: Kind): number => ratio(taken, stepName(kind, 'grown'), stepName(kind, 'fresh'));

const measure = async (of: { server: Connection; grown: Connection; size: number }): Promise<Measured> => {
  const { server, grown, size } = of;
  say(`filling up to ${size} postings`);
  const started = performance.now();
  await fillPostings(grown, { postings: size, records: options.records });
  const fillSeconds = (performance.now() - started) / 1_000;

  await using opened = new AsyncDisposableStack();
  const fresh = await openWarm(await createDatabase(server, { name: 'fresh', template: 'prepared' }), opened);
  const bank = await openWarm(grown, opened);
  const taken = await measureShares({ fresh, grown: bank });
  const proof = await timeProofs(bank);
  const ours = typical(taken, stepName('credits', 'grown'));
  const theirs = typical(taken, stepName('credits', 'fresh'));
  const shares = {
    credits: shareOf(taken, 'credits'),
    orders: shareOf(taken, 'orders'),
    lists: shareOf(taken, 'lists'),
  };
  return {
    size,
    shares,
    row: [
      size,
      Math.round(ours.perSecond),
      Math.round(theirs.perSecond),
      ...KINDS.map((kind) => rounded(shares[kind], 2)),
      rounded(ours.p50Ms!, 1),
      rounded(ours.p99Ms!, 1),
      rounded(typical(taken, stepName('lists', 'grown')).p99Ms!, 1),
      rounded(proof.full, 1),
      rounded(proof.recent, 2),
      rounded(fillSeconds, 0),
    ],
  };
};

await runBench(async (cleanUp) => {
  const postgres = await opening(cleanUp, startTemporaryPostgres({}));
  const server = postgres.connection;
  const prepared = await createDatabase(server, { name: 'prepared' });
  const first = await openBank({ connection: prepared, users: USERS });
  await first.warmUp();
  await first.close();
  await runSql(prepared, ['vacuum analyze', 'checkpoint']);
  const grown = await createDatabase(server, { name: 'grown', template: 'prepared' });

  const measured: Measured[] = [];
  for (const size of options.sizes) measured.push(await measure({ server, grown, size }));

  printReport(
    {
      title: 'Growth',
      postgres: await serverVersion(server),
      columns: [
        'postings',
        'credits per second',
        'fresh, per second',
        'credits × fresh',
        'orders × fresh',
        'lists × fresh',
        'credits p50 ms',
        'credits p99 ms',
        'lists p99 ms',
        'full proof s',
        'proof from the checkpoint s',
        'filling s',
      ],
      rows: measured.map(({ row }) => row),
      // A smaller database says nothing about the budget.
      budgets: measured
        .filter(({ size }) => size >= BUDGET.postings)
        .flatMap(({ size, shares }) =>
          KINDS.map((kind) => ({
            what: `${size.toLocaleString('en-US')} postings, ${kind}`,
            budget: `at least ${BUDGET.leastShare * 100} % of the empty database`,
            measured: `${rounded(shares[kind] * 100, 1)} %`,
            met: shares[kind] >= BUDGET.leastShare,
          })),
        ),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each, fresh and grown in turns; ratios within a round.`,
        `Credits, creations of orders and the lists of orders and of the audit trail in turn, ${IN_FLIGHT} in flight, ${USERS.toLocaleString('en-US')} users of one marketplace, fsync on.`,
        options.records
          ? 'Filled in: accounts, postings, orders, events and chained audit entries; the chain was verified afterwards.'
          : 'Filled in: accounts, postings and orders, with one audit entry for each user; not their events and own audit entries (--records adds those).',
        `Afterwards the books were proved from every posting, and after ${CREDITS_SINCE_CHECKPOINT.toLocaleString('en-US')} more credits from the checkpoint.`,
      ],
    },
    options.format,
  );
});
