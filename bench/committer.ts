// Measures the committer: credits with journal, event and audit entry, spread over a thousand users and all for one, with
// 1, 8, 64 and 256 in flight; beside TPC-B and beside one transaction per request on the same PostgreSQL server.
//
//   node bench/committer.ts [--seconds 2] [--rounds 3] [--markdown | --json] [--profile]

import { startTemporaryPostgres } from '../server/src/postgres/embedded.ts';
import { opening, readOptions, runBench, say } from '../tools/measure/options.ts';
import { ratio, runRounds, type Step, type Taken } from '../tools/measure/rounds.ts';
import { assertProof, type Bank, drive, openBank } from './bank.ts';
import type { Yardstick } from './clients.ts';
import { createDatabase, serverVersion } from './databases.ts';
import { openOneTransaction } from './one-transaction.ts';
import { profile } from './profile.ts';
import { type Budget, type Line, printReport, rounded, speedTable } from './report.ts';
import { openTpcB } from './yardsticks.ts';

const USERS = 1_000;
const IN_FLIGHT = [1, 8, 64, 256];
const WARM_UP_SECONDS = 1;

const options = readOptions({
  name: 'bench:committer',
  about: 'Measures the committer, compared with TPC-B and one transaction per request.',
  seconds: 2,
  rounds: 3,
});

type OneTransaction = Readonly<Record<'spread' | 'hot', Yardstick>>;
type Yardsticks = { readonly tpcb: Yardstick; readonly oneTransaction: OneTransaction };

const nameOf = (inFlight: number, hot: boolean): string =>
  `committer, ${hot ? 'one account' : 'spread'}, ${inFlight} in flight`;

/** The steps that a budget compares are next to each other. */
const stepsOf = (bank: Bank, { tpcb, oneTransaction }: Yardsticks): Step[] => {
  const committer = (inFlight: number, hot: boolean): Step => ({
    name: nameOf(inFlight, hot),
    run: () => drive(bank, { inFlight, seconds: options.seconds, hot }),
  });
  const yardstick = ({ name, run }: Yardstick): Step => ({ name, run: () => run(options.seconds) });
  return [
    yardstick(tpcb),
    committer(64, false),
    yardstick(oneTransaction.spread),
    committer(64, true),
    yardstick(oneTransaction.hot),
    ...IN_FLIGHT.filter((inFlight) => inFlight !== 64).flatMap((n) => [committer(n, false), committer(n, true)]),
  ];
};

const linesOf = (taken: Taken, { tpcb, oneTransaction }: Yardsticks): Line[] => {
  const yardsticks = [tpcb, oneTransaction.spread, oneTransaction.hot].map(({ name }) => ({ name }));
  const committer = [false, true].flatMap((hot) =>
    IN_FLIGHT.map((inFlight) => {
      const name = nameOf(inFlight, hot);
      const single = hot ? oneTransaction.hot : oneTransaction.spread;
      return {
        name,
        ratios: { '× TPC-B': ratio(taken, name, tpcb.name), '× one transaction': ratio(taken, name, single.name) },
      };
    }),
  );
  return [...yardsticks, ...committer];
};

const atLeast = (of: { what: string; least: number; measured: number; unit: string }): Budget => ({
  what: of.what,
  budget: `at least ${of.least} ${of.unit}`,
  measured: `${rounded(of.measured, 2)} ${of.unit}`,
  met: of.measured >= of.least,
});

const budgetsOf = (taken: Taken, { tpcb, oneTransaction }: Yardsticks): Budget[] => {
  const spread = nameOf(64, false);
  const hot = nameOf(64, true);
  return [
    atLeast({ what: '64 in flight', least: 3, measured: ratio(taken, spread, tpcb.name), unit: '× TPC-B' }),
    atLeast({
      what: '64 in flight',
      least: 6,
      measured: ratio(taken, spread, oneTransaction.spread.name),
      unit: '× one transaction per request',
    }),
    atLeast({ what: 'all on one account', least: 1, measured: ratio(taken, hot, spread), unit: '× spread' }),
  ];
};

await runBench(async (cleanUp) => {
  // PostgreSQL with its default settings: a commit waits for the disk.
  const postgres = await opening(cleanUp, startTemporaryPostgres({}));
  const { connection } = postgres;
  const tpcb = await openTpcB(connection, cleanUp);
  const oneTransaction = await openOneTransaction(connection, cleanUp);
  const bank = await openBank({ connection: await createDatabase(connection, { name: 'bank' }), users: USERS });
  cleanUp.defer(bank.close);
  await bank.warmUp();
  await drive(bank, { inFlight: 64, seconds: WARM_UP_SECONDS });
  for (const yardstick of [tpcb, oneTransaction.spread]) await yardstick.run(WARM_UP_SECONDS);

  const yardsticks = { tpcb, oneTransaction };
  const taken = await runRounds(stepsOf(bank, yardsticks), options.rounds);
  await assertProof(bank);

  printReport(
    {
      title: 'Committer',
      postgres: await serverVersion(connection),
      ...speedTable(taken, linesOf(taken, yardsticks)),
      budgets: budgetsOf(taken, yardsticks),
      notes: [
        `Median of ${options.rounds} rounds of ${options.seconds} s each; ratios are taken within a round.`,
        'One marketplace, so one lane of the four. fsync on. The caller is in the same process as the committer.',
        'The ratio to one transaction per request is like to like: spread to spread, one account to one account.',
        'Afterwards the books were proved from every posting.',
      ],
    },
    options.format,
  );

  if (!options.profile) return;
  const { file, top } = await profile(() => drive(bank, { inFlight: 64, seconds: options.seconds }));
  say([`Self time, 64 in flight, spread; the whole profile is in ${file}`, ...top].join('\n'));
});
