// Measures what growth costs: credits at 64 in flight, spread over ten thousand users, in a database that already holds
// so many postings; beside the same in a fresh database on the same server, in turns.
//
//   node bench/growth.ts [--sizes 0,1000000,10000000] [--seconds 3] [--rounds 3] [--records] [--markdown | --json]
//
// The postings are filled in by SQL, consistently, so that the proof is made over all of them. Events and audit entries
// are filled in only with --records, which takes about three times as long and as much disk.

import type { Connection } from '../server/src/postgres/connection.ts';
import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { ratio, runRounds, typical } from '../tools/measure/rounds.ts';
import { assertProof, type Bank, drive, openBank } from './bank.ts';
import { createDatabase, runSql, serverVersion } from './databases.ts';
import { fillPostings } from './fill.ts';
import { type Cell, printReport, rounded } from './report.ts';

const USERS = 10_000;
const IN_FLIGHT = 64;
const WARM_UP_SECONDS = 1;
const BUDGET = { postings: 10_000_000, leastShare: 0.8 };

const options = readOptions({
  name: 'bench:growth',
  about: 'Measures credits in databases of growing size.',
  seconds: 3,
  rounds: 3,
  sizes: [0, 1_000_000, 10_000_000],
});

type Measured = { readonly size: number; readonly share: number; readonly row: readonly Cell[] };

const openWarm = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Bank> => {
  const bank = await openBank({ connection, users: USERS });
  cleanUp.defer(bank.close);
  await bank.warmUp();
  await drive(bank, { inFlight: IN_FLIGHT, seconds: WARM_UP_SECONDS });
  return bank;
};

const timeProof = async (bank: Bank): Promise<number> => {
  const started = performance.now();
  await assertProof(bank);
  return (performance.now() - started) / 1_000;
};

const measure = async (of: { server: Connection; grown: Connection; size: number }): Promise<Measured> => {
  const { server, grown, size } = of;
  say(`filling up to ${size} postings`);
  const started = performance.now();
  await fillPostings(grown, { postings: size, records: options.records });
  const fillSeconds = (performance.now() - started) / 1_000;
  const fresh = await createDatabase(server, { name: 'fresh', template: 'prepared' });

  await using opened = new AsyncDisposableStack();
  const yardstick = await openWarm(fresh, opened);
  const bank = await openWarm(grown, opened);
  const step = (name: string, which: Bank) => ({
    name,
    run: () => drive(which, { inFlight: IN_FLIGHT, seconds: options.seconds }),
  });
  const taken = await runRounds([step('fresh database', yardstick), step(`${size} postings`, bank)], options.rounds);
  const proofSeconds = await timeProof(bank);
  if (options.records && !(await bank.verifyAudit()).holds) throw new Error('the audit chain does not hold');
  const share = ratio(taken, `${size} postings`, 'fresh database');
  const ours = typical(taken, `${size} postings`);
  const theirs = typical(taken, 'fresh database');
  return {
    size,
    share,
    row: [
      size,
      Math.round(ours.perSecond),
      Math.round(theirs.perSecond),
      rounded(share, 2),
      rounded(ours.p50Ms!, 1),
      rounded(ours.p99Ms!, 1),
      rounded(proofSeconds, 1),
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
      columns: ['postings', 'per second', 'fresh, per second', '× fresh', 'p50 ms', 'p99 ms', 'proof s', 'filling s'],
      rows: measured.map(({ row }) => row),
      // A smaller database says nothing about the budget.
      budgets: measured
        .filter(({ size }) => size >= BUDGET.postings)
        .map(({ size, share }) => ({
          what: `${size.toLocaleString('en-US')} postings`,
          budget: `at least ${BUDGET.leastShare * 100} % of the empty database`,
          measured: `${rounded(share * 100, 1)} %`,
          met: share >= BUDGET.leastShare,
        })),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each, fresh and grown in turns; ratios within a round.`,
        `Credits, ${IN_FLIGHT} in flight, ${USERS.toLocaleString('en-US')} users of one marketplace, fsync on.`,
        options.records
          ? 'Filled in: accounts, postings, events and chained audit entries; the chain was verified afterwards.'
          : 'Filled in: accounts and postings; not their events and audit entries (--records adds those).',
        'Afterwards the books were proved from every posting: that is the time of the proof.',
      ],
    },
    options.format,
  );
});
