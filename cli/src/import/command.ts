// `holdfast import`: brings users, opening balances and open orders from CSV files or from the API of another system. Without --apply it
// only shows the plan; --apply needs the hash of the plan that was shown.

import type { Command } from 'commander';
import { define, gather } from '../define.ts';
import { type ExitCode, failure, wrongUsage } from '../failures.ts';
import { action, type Run } from '../run.ts';
import { applyPlan, type Outcome } from './apply.ts';
import { checkSource, namedUsers, rulesOf } from './check.ts';
import { type Compared, compareBalances, plannedSums, readBacking } from './compare.ts';
import { readFiles } from './csv.ts';
import { type Plan, planOf } from './plan.ts';
import { balanceKey, type Source } from './records.ts';
import { exitCodeOf, reportOf, showReport } from './report.ts';
import { readApi } from './source-api.ts';
import { createSourceReader } from './source-http.ts';
import { openStateFile, type StateFile } from './state-file.ts';
import { findUsers, type Survey, surveyTarget, type Target } from './target.ts';

type Options = {
  readonly users?: string;
  readonly balances?: string;
  readonly orders?: string;
  readonly sourceUrl?: string;
  readonly sourceKey?: string;
  readonly reopen?: readonly string[];
  readonly id: string;
  readonly state?: string;
  readonly apply?: string;
  readonly keepEmails?: boolean;
};

type ImportRun = Run<Options>;

const checkUsage = ({ users, balances, orders, sourceUrl, reopen, id }: Options): void => {
  const hasFiles = [users, balances, orders].some((file) => file !== undefined);
  if (hasFiles === (sourceUrl !== undefined))
    throw wrongUsage('Name the source: CSV files with --users, --balances and --orders, or an API with --source-url.');
  if (reopen !== undefined && sourceUrl === undefined)
    throw wrongUsage('--reopen is for --source-url. In a CSV file, write FUNDS_RESERVED as the status of the order.');
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(id))
    throw wrongUsage('--id has letters, digits, dots, dashes and underscores, at most 40.');
};

/** Shown only in a terminal, and never faster than it can be read. */
const progressOf = ({ out }: ImportRun) => {
  let shownAt = 0;
  return (text: string): void => {
    if (!out.canRedraw || performance.now() - shownAt < 100) return;
    shownAt = performance.now();
    out.redraw(text);
  };
};

const readSource = (run: ImportRun, currencies: readonly string[]): Promise<Source> => {
  const { users, balances, orders, sourceUrl, reopen = [] } = run.options;
  if (sourceUrl === undefined) {
    return readFiles({
      ...(users === undefined ? {} : { users }),
      ...(balances === undefined ? {} : { balances }),
      ...(orders === undefined ? {} : { orders }),
    });
  }
  const key = run.options.sourceKey ?? (process.env.HOLDFAST_SOURCE_KEY || null);
  const reader = createSourceReader({ url: sourceUrl, key }, run.signal);
  return readApi({ url: sourceUrl, reader, currencies, reopen, onProgress: progressOf(run) });
};

type Prepared = { readonly plan: Plan; readonly survey: Survey | null; readonly problems: readonly string[] };

/** Reads everything and writes nothing. */
const prepare = async (run: ImportRun, target: Target): Promise<Prepared> => {
  const config = await run.client.service.config();
  const source = await readSource(run, config.currencies);
  const names = [...source.users.map(({ externalUserId }) => externalUserId), ...namedUsers(source)];
  const users = await findUsers(
    target,
    [...new Set(names)].filter((name) => name !== ''),
  );
  const plan = planOf(source, run.options.id);
  const problems = [
    ...checkSource(source, { rules: rulesOf(config), existing: new Set(users.keys()) }),
    ...plan.problems,
  ];
  if (problems.length > 0) return { plan, survey: null, problems };
  const survey = await surveyTarget(target, { plan, users, keepEmails: run.options.keepEmails === true });
  return { plan, survey, problems: survey.problems };
};

/** Opening credits that are not booked yet, by currency. */
const openCredits = ({ money }: Plan, survey: Survey | null): Map<string, bigint> => {
  const open = new Map<string, bigint>();
  for (const { externalUserId, currency, credit } of money) {
    const isBooked = survey?.money.get(balanceKey(externalUserId, currency))?.isCredited;
    open.set(currency, (open.get(currency) ?? 0n) + (isBooked ? 0n : credit));
  }
  return open;
};

type Applying = { readonly target: Target; readonly plan: Plan; readonly survey: Survey };
type Applied = { readonly outcome: Outcome; readonly compared: Compared; readonly stateFile: string };

const write = async (
  run: ImportRun,
  { state, target, plan, survey }: Applying & { state: StateFile },
): Promise<Applied> => {
  const { id, hash, source } = plan;
  await state.begin({ import: id, plan: hash, source, startedAt: new Date().toISOString() });
  const outcome = await applyPlan({ ...target, plan, survey, state, onProgress: progressOf(run) });
  const compared = await compareBalances(target, { plan, users: survey.users, state });
  await state.append({ type: 'end', at: new Date().toISOString(), written: outcome.written, ...compared });
  return { outcome, compared, stateFile: state.path };
};

const apply = async (run: ImportRun, applying: Applying): Promise<Applied> => {
  const { marketplaceId } = await run.client.keys.me();
  const { state: path = `import-${applying.plan.id}.jsonl` } = run.options;
  const state = await openStateFile({ path, target: `${marketplaceId} at ${run.settings.url}` });
  try {
    return await write(run, { ...applying, state });
  } finally {
    await state.close();
  }
};

const work = async (run: ImportRun): Promise<ExitCode> => {
  const { out, options } = run;
  checkUsage(options);
  const target: Target = { client: run.client, signal: run.signal };
  const { plan, survey, problems } = await prepare(run, target);
  if (options.apply !== undefined && options.apply !== plan.hash)
    throw failure(
      `The plan is ${plan.hash} now, not ${options.apply}: the source or the options have changed. Run the command without --apply, and read the new plan.`,
    );
  const isApplied = options.apply !== undefined && survey !== null && problems.length === 0;
  const applied = isApplied ? await apply(run, { target, plan, survey }) : null;
  const backing = await readBacking(target, applied ? new Map() : openCredits(plan, survey));
  if (out.canRedraw) out.redraw('');
  const report = reportOf({
    plan,
    survey,
    problems,
    outcome: applied?.outcome ?? null,
    compared: applied?.compared ?? { sums: plannedSums(plan), differences: [] },
    backing,
    stateFile: applied?.stateFile ?? null,
  });
  showReport(out, report);
  return exitCodeOf(report);
};

export const addImportCommand = (program: Command): void => {
  define(program, {
    name: 'import',
    what: 'bring users, opening balances and open orders from another system; shows the plan until --apply',
    examples: [
      'holdfast import --users users.csv --balances balances.csv --orders orders.csv',
      'holdfast import --source-url https://old.shop.example --source-key … --apply 0123456789abcdef',
    ],
  })
    .option('--users <file>', 'CSV: externalUserId, email, type, status')
    .option('--balances <file>', 'CSV: externalUserId, currency, available, reserved')
    .option('--orders <file>', 'CSV: orderId, buyer, seller, amount, currency, status, …')
    .option('--source-url <url>', 'address of the other system; reads its API instead of files')
    .option('--source-key <key>', 'key of the other system (HOLDFAST_SOURCE_KEY)')
    .option('--reopen <orderId>', 'an order that was refunded in the other system; created and reserved anew', gather)
    .option('--apply <plan>', 'writes the plan that was shown; its hash')
    .option('--id <name>', 'name of the import; the same name continues it', 'opening')
    .option('--state <file>', 'record of what was written; default import-<id>.jsonl')
    .option('--keep-emails', 'keep the e-mail address of users that exist with another one')
    .action(action<Options>(work));
};
