// The program behind `holdfast archive`: moves closed months to compressed files, lists, verifies and shows the files, and restores the
// newest month. It works on the database of the settings, also while servers are running on it. Exits with 1 when something failed.

import { InvalidArgumentError } from 'commander';
import { ARCHIVED_TABLES } from '../commit/archived-rows.ts';
import { createMonths, listArchives, restoreNewest, showRows, verifyAll } from './archive/commands.ts';
import { openArchiving } from './archive/open.ts';
import { printLine, scriptCommand } from './script-command.ts';

type Values = { readonly marketplace?: string; readonly json?: true; readonly table?: string; readonly match?: string };

const month = (text: string): string => {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text)) return text;
  throw new InvalidArgumentError('It must be a month, such as 2026-01.');
};

const tableName = (text: string): string => {
  if (ARCHIVED_TABLES.some((table) => table === text)) return text;
  throw new InvalidArgumentError(`It must be one of ${ARCHIVED_TABLES.join(', ')}.`);
};

const VERBS = {
  create: createMonths,
  list: listArchives,
  verify: verifyAll,
  show: showRows,
  restore: restoreNewest,
} as const;

/** A proof of a marketplace that does not exist would prove nothing and hold. */
const chosenOf = (known: string[], wanted: string | null): string[] => {
  if (wanted === null) return known;
  if (known.includes(wanted)) return [wanted];
  throw new Error(`There is no marketplace ${wanted}. \`holdfast marketplaces list\` shows those that exist.`);
};

const run = async (verb: keyof typeof VERBS, { values, id }: { values: Values; id: string | null }): Promise<void> => {
  const out = {
    say: (line: string) => (values.json ? undefined : printLine(line)),
    json: (value: unknown) => (values.json ? printLine(JSON.stringify(value, null, 2)) : undefined),
    row: printLine,
  };
  try {
    await using archiving = await openArchiving();
    const marketplaces = chosenOf(archiving.marketplaces, values.marketplace ?? null);
    const asked = { out, id, table: values.table ?? null, match: values.match ?? null };
    const isFine = await VERBS[verb]({ ...archiving, marketplaces }, asked);
    if (!isFine) process.exitCode = 1;
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
};

const program = scriptCommand('archive', 'Archives of closed months.').name('holdfast archive');
const define = (name: string, description: string) =>
  program
    .command(name)
    .description(description)
    .option('--marketplace <id>', 'only this marketplace')
    .option('--json', 'print JSON');

define('create', 'move every closed month to an archive').action((values: Values) =>
  run('create', { values, id: null }),
);
define('list', 'list the archives').action((values: Values) => run('list', { values, id: null }));
define('verify', 'verify every archive and its border to the database').action((values: Values) =>
  run('verify', { values, id: null }),
);
define('show', 'show what an archive contains')
  .argument('<month>', 'the month', month)
  .option('--table <name>', 'print the rows of this table as JSON lines', tableName)
  .option('--match <text>', 'only rows that contain this text, such as an id')
  .action((id: string, values: Values) => run('show', { values, id }));
define('restore', 'put the newest archive back into the database')
  .argument('<month>', 'the month of the newest archive', month)
  .action((id: string, values: Values) => run('restore', { values, id }));

await program.parseAsync();
