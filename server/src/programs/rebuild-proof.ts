// The command `holdfast proof --rebuild`: discards what a proof derives from the records of one marketplace, so that the next proof reads
// everything and makes it again. No record is changed. Works on the database of the settings, also while servers run on it.

import type pg from 'pg';
import { readConfig } from '../config/config.ts';
import { openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';

/** The tables of each derived part. The mark comes before its sums, as in the jobs: two transactions in different orders would wait for each other. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  checkpoints: ['proof_checkpoints'],
  activity: ['activity_marks', 'activity_sums'],
  fees: ['fee_marks', 'fee_sums'],
  'audit-notes': ['audit_stretch_marks', 'audit_stretches'],
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const fail = (line: string): never => {
  process.stderr.write(`${line}\n`);
  return process.exit(2);
};

const read = readConfig(process.env);
if (!read.ok) fail(read.problems.join('\n'));
const part = process.argv[2] ?? '';
const marketplaceId = process.argv[3] ?? '';
const tables = PARTS[part] ?? fail(`Name a part: ${Object.keys(PARTS).join(', ')}.`);
if (marketplaceId === '') fail('Name the marketplace.');

/** In one transaction: sums without their mark, or a mark without its sums, would be wrong. */
const discard = async (pool: pg.Pool): Promise<string[]> => {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const lines: string[] = [];
    for (const table of tables) {
      const { rowCount } = await client.query(`delete from ${table} where marketplace_id = $1`, [marketplaceId]);
      lines.push(`${marketplaceId}: ${rowCount} rows of ${table} are discarded.`);
    }
    await client.query('commit');
    return lines;
  } finally {
    client.release(true);
  }
};

const rebuild = async (): Promise<void> => {
  if (!read.ok) return;
  const { data, database } = read.config;
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir });
  const pool = openPool(connection, { max: 1, onError: () => {} });
  try {
    for (const line of await discard(pool)) say(line);
    say('The next proof makes them again: holdfast proof --full.');
  } finally {
    await pool.end();
    await close();
  }
};

await rebuild().catch((error: unknown) => {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
});
