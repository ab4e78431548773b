// Asks independent bookkeeping tools for the balance of every account of an exported journal. They read only the file, so they know
// nothing of our code. A tool that is not installed is named, and the caller goes on without it.

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beancountName } from '../../server/src/modules/exports/account-names.ts';
import { exactUnits } from '../decimals.ts';

export const OUTSIDE_TOOLS = ['hledger', 'beancount'] as const;

export type OutsideTool = (typeof OUTSIDE_TOOLS)[number];

/** By account and currency, with a space between; in units of 10^-7, as our books sign them. */
export type Sums = ReadonlyMap<string, bigint>;

const run = promisify(execFile);
const OUTPUT_MAX = 256 * 1024 * 1024;

const PROGRAM = { hledger: 'hledger', beancount: 'bean-query' } as const;

export const isInstalled = async (tool: OutsideTool): Promise<boolean> =>
  run(PROGRAM[tool], ['--version']).then(
    () => true,
    () => false,
  );

/** A tool may write a small amount with an exponent, such as 1E-7. Our amounts have at most seven places. */
const plain = (text: string): string => {
  const [, digits, places] = /^(\d+)E-(\d)$/.exec(text) ?? [];
  if (digits === undefined) return text;
  const padded = digits.padStart(Number(places) + 1, '0');
  return `${padded.slice(0, -Number(places))}.${padded.slice(-Number(places))}`;
};

const unitsOf = (text: string): bigint => {
  const units = exactUnits(plain(text.replace(/^[+-]/, '')));
  return text.startsWith('-') ? -units : units;
};

/** The rows of a CSV table without its header. No name of an account has a comma or a quotation mark. */
const rowsOf = (table: string): string[][] =>
  table
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '').trim()));

/** Tools show what is owed as negative; our books show it as positive. */
const sumsOf = (rows: readonly (readonly [account: string, currency: string, amount: string])[]): Sums =>
  new Map(rows.map(([account, currency, amount]) => [`${account} ${currency}`, -unitsOf(amount)]));

const readWith = {
  async hledger(file: string): Promise<Sums> {
    // Every transaction has to balance, and every line has to be understood.
    await run('hledger', ['-f', file, 'check'], { maxBuffer: OUTPUT_MAX });
    const query = ['-f', file, 'balance', '--flat', '--no-total', '--layout=bare', '--output-format=csv'];
    const { stdout } = await run('hledger', query, { maxBuffer: OUTPUT_MAX });
    return sumsOf(rowsOf(stdout).map(([account, currency, amount]) => [account!, currency!, amount!]));
  },
  async beancount(file: string): Promise<Sums> {
    const { stdout: complaints } = await run('bean-check', [file], { maxBuffer: OUTPUT_MAX });
    if (complaints !== '') throw new Error(`bean-check: ${complaints}`);
    const query = 'select account, currency, sum(number) group by account, currency';
    const { stdout } = await run('bean-query', ['--format', 'csv', '--numberify', file, query], {
      maxBuffer: OUTPUT_MAX,
    });
    return sumsOf(rowsOf(stdout).map(([account, currency, amount]) => [account!, currency!, amount!]));
  },
} as const satisfies Record<OutsideTool, (file: string) => Promise<Sums>>;

/** What the tool says about the journal. Accounts with a sum of zero may be missing. */
export const sumsByTool = async (tool: OutsideTool, journal: string): Promise<Sums> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'holdfast-journal-'));
  try {
    const file = path.join(folder, tool === 'hledger' ? 'books.journal' : 'books.beancount');
    await writeFile(file, journal);
    return await readWith[tool](file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Names of accounts as the tool writes them. */
export const nameIn = (tool: OutsideTool, account: string): string =>
  tool === 'beancount' ? beancountName(account) : account;

/** Every account whose sum differs; an account that one side does not have counts as zero. */
export const differences = (ours: Sums, theirs: Sums): string[] =>
  [...new Set([...ours.keys(), ...theirs.keys()])]
    .filter((account) => (ours.get(account) ?? 0n) !== (theirs.get(account) ?? 0n))
    .map((account) => `${account}: ${ours.get(account) ?? 0n} here, ${theirs.get(account) ?? 0n} there`);
