// Archives of closed months. The commands work on the database of the settings, with or without a running server.

import type { Command } from 'commander';
import { choice, define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type Run } from '../run.ts';
import { runEntry } from '../server-entry.ts';

const TABLES = ['postings', 'audit_entries', 'events', 'operations', 'webhook_events', 'ledger_transactions'] as const;

type ShowOptions = { readonly table?: string; readonly match?: string };

const runArchive = ({ out, settings }: Pick<Run<unknown>, 'out' | 'settings'>, given: readonly string[]) => {
  const ofOption = settings.from.marketplace === '--marketplace' && settings.marketplaceId !== null;
  const marketplace = ofOption ? ['--marketplace', settings.marketplaceId!] : [];
  const args = [...given, ...marketplace, ...(out.isJson ? ['--json'] : [])];
  return runEntry('programs/archive.ts', { out, args, printsJson: true });
};

/** Checked before the program of the server starts, whose own usage is not that of this command. */
const monthOf = (text: string | undefined): string => {
  if (/^\d{4}-(0[1-9]|1[0-2])$/.test(text ?? '')) return text!;
  throw wrongUsage(`"${text}" is not a month. Write it as 2026-01; \`holdfast archive list\` shows those that exist.`);
};

export const addArchiveCommands = (program: Command): void => {
  const archive = define(program, {
    name: 'archive',
    what: 'closed months in compressed files: create, verify, read and restore them',
    examples: ['holdfast archive create', 'holdfast archive verify'],
  });

  define(archive, {
    name: 'create',
    what: 'move every closed month out of the database; an interrupted run continues',
    examples: ['holdfast archive create', 'DATABASE_URL=postgres://… holdfast archive create'],
  }).action(action((run) => runArchive(run, ['create'])));

  define(archive, {
    name: 'list',
    what: 'list the archives with their states and hashes',
    examples: ['holdfast archive list --json'],
  }).action(action((run) => runArchive(run, ['list'])));

  define(archive, {
    name: 'verify',
    what: 'prove every archive, its border to the database, and the rows after it; exits with 1 when a check fails',
    examples: ['holdfast archive verify'],
  }).action(action((run) => runArchive(run, ['verify'])));

  define(archive, {
    name: 'show <month>',
    what: 'show what an archive contains, or print its rows as JSON lines',
    examples: ['holdfast archive show 2026-01', 'holdfast archive show 2026-01 --table postings --match ord_01J…'],
  })
    .addOption(choice('--table <name>', { what: 'print the rows of this table', of: TABLES }))
    .option('--match <text>', 'only rows that contain this text, such as an id')
    .action(
      action<ShowOptions>((run, [month]) => {
        const { table, match } = run.options;
        const rows = table === undefined ? [] : ['--table', table];
        return runArchive(run, ['show', monthOf(month), ...rows, ...(match === undefined ? [] : ['--match', match])]);
      }),
    );

  define(archive, {
    name: 'restore <month>',
    what: 'put the newest archive back into the database',
    examples: ['holdfast archive restore 2026-01'],
  }).action(action((run, [month]) => runArchive(run, ['restore', monthOf(month)])));
};
