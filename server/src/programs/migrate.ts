// The command `holdfast migrate`: migrates the database of the settings to the schema of this version, also while a server of the previous
// version is running on it, and prints what it did. Exits with 1 when it failed.

import { migrate } from '../commit/migrate.ts';
import { readConfig } from '../config/config.ts';
import { openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) complain(problem);
  process.exit(2);
}
const { data, database } = read.config;

try {
  const { connection, close } = await openCommandDatabase({ url: database.url, dataDir: data.dir, mayCreate: true });
  const pool = openPool(connection, { max: 1, onError: () => {} });
  try {
    const { applied } = await migrate({ pool, log: say });
    say(
      applied.length === 0
        ? 'The schema is up to date.'
        : `The schema is up to date. Migrations applied: ${applied.length}.`,
    );
  } finally {
    await pool.end();
    await close();
  }
} catch (error) {
  process.exitCode = 1;
  complain(error instanceof Error ? error.message : String(error));
}
