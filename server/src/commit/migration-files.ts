// Reads the migration files 0001_name.sql, 0002_… in order. Never accepts a gap, a double number or a file that would
// end the transaction it runs in.

import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

export type Migration = { name: string; sql: string; checksum: string };

const NAME = /^(\d{4})_[a-z0-9_-]+\.sql$/;
const ENDS_TRANSACTION = /^\s*(begin|start transaction|commit|end|rollback|abort)( work| transaction)?\s*;/im;

export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map((file, index) => readMigration(path.join(folder, file), index + 1)));
}

async function readMigration(file: string, number: number): Promise<Migration> {
  const base = path.basename(file);
  const expected = String(number).padStart(4, '0');
  if (NAME.exec(base)?.[1] !== expected) {
    throw new Error(`Migration ${base} is out of line: a file named ${expected}_….sql is expected in its place.`);
  }
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n'); // Git may check out either.
  if (ENDS_TRANSACTION.test(withoutBodies(sql))) {
    throw new Error(`Migration ${base} must not begin or end a transaction: each file runs inside one.`);
  }
  return { name: base.slice(0, -'.sql'.length), sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

// Inside a function's body, "end;" is no transaction control.
const withoutBodies = (sql: string) => sql.replace(/(\$\w*\$)[\s\S]*?\1/g, '');
