// The program behind `holdfast distribute`: distributes the tables of the database of the settings over the workers of its Citus, and proves
// the books before and after. No server may run. Exits with 1 when it was refused, or when the books are not the same.

import { createInterface } from 'node:readline/promises';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { readConfig } from '../config/config.ts';
import type { Plan } from '../distributed/plan.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';
import { type Outcome, runDistribute } from './distribute/run.ts';
import { printLine, scriptCommand, whole } from './script-command.ts';

type Values = {
  readonly yes?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly shards: number;
};

const SHARDS = 32;
/** Citus's own limit. */
const SHARDS_MAX = 64_000;

const program = scriptCommand('distribute', 'Distributes the tables over the workers of a Citus.')
  .name('holdfast distribute')
  .option('--yes', 'do it without a question')
  .option('--dry-run', 'only show what it would do')
  .option('--shards <number>', 'the number of parts of each table', whole({ from: 1, to: SHARDS_MAX }), SHARDS)
  .option('--json', 'print JSON')
  .parse();
const values = program.opts<Values>();

const say = (line: string): void => (values.json ? undefined : printLine(line));
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const showPlan = ({ workers, shards, tables, done, placesService }: Plan): void => {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0n);
  say(`Workers: ${workers.join(', ')}`);
  if (tables.length > 0)
    say(`${tables.length} tables with ${rows} rows will be distributed by marketplace, in ${shards} parts each:`);
  for (const table of tables) say(`  ${table.name} (${table.rows} rows)`);
  if (done > 0) say(`${done} tables are distributed already and stay as they are.`);
  if (placesService)
    say(
      `${DEFAULT_MARKETPLACE}, which has the rows of the whole service, will be placed on the coordinator in a part of its own.`,
    );
  say('The books and the audit chain of every marketplace are proved before and after.');
};

const ask = async (): Promise<boolean> => {
  if (!process.stdin.isTTY) {
    complain('Nothing was changed. Repeat the command with --yes to distribute the tables.');
    process.exitCode = 1;
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Distribute them now? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};

const confirm = async (plan: Plan): Promise<boolean> => {
  showPlan(plan);
  return values.dryRun ? false : (values.yes ?? ask());
};

const printJson = (outcome: Outcome): void => {
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  printLine(JSON.stringify(outcome, asText, 2));
};

const show = (outcome: Outcome): void => {
  if (outcome.kind === 'nothing-done') {
    const { tables, placesService } = outcome.plan;
    const isComplete = tables.length === 0 && !placesService;
    say(isComplete ? 'Every table is distributed already.' : 'Nothing was changed.');
  }
  if (outcome.kind !== 'done') return;
  const { marketplaces, compared, problems } = outcome.comparison;
  if (problems.length > 0) return;
  say(`Every marketplace is proved: ${marketplaces}. Their sums and last hashes are those from before: ${compared}.`);
  say('The tables are distributed. Start the servers.');
};

const complainOf = (outcome: Outcome): void => {
  if (outcome.kind === 'refused') complain(outcome.reason);
  if (outcome.kind !== 'done') return;
  for (const problem of outcome.comparison.problems) complain(problem);
  if (outcome.comparison.problems.length > 0) {
    complain(
      'The books are not those from before. Start no server, and restore the backup from before the distribution.',
    );
  }
};

const isFine = (outcome: Outcome): boolean =>
  outcome.kind === 'nothing-done' || (outcome.kind === 'done' && outcome.comparison.problems.length === 0);

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) complain(problem);
  process.exit(2);
}
const { data, database } = read.config;

try {
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
  try {
    const outcome = await runDistribute({ connection, shards: values.shards, confirm, say });
    if (values.json) printJson(outcome);
    show(outcome);
    complainOf(outcome);
    if (!isFine(outcome)) process.exitCode = 1;
  } finally {
    await close();
  }
} catch (error) {
  process.exitCode = 1;
  complain(error instanceof Error ? error.message : String(error));
}
