// Brings a distributed database to this server's schema, in the transaction of the caller: a migration is applied statement by statement,
// and afterwards its new tables are distributed beside the others. The functions that write are those of this version.

import type pg from 'pg';
import { createWriteFunctions } from '../write-functions.ts';
import { splitStatements } from './statements.ts';
import { distributeTable, shareFunctions, undistributedTables } from './tables.ts';

/**
 * One connection per machine, so that a statement sees what the one before it did there. The limits of this transaction, such as the wait for
 * a lock, are those of the machines too. Our triggers judge each shard alone.
 */
const SETTINGS = [
  `set local citus.multi_shard_modify_mode to 'sequential'`,
  `set local citus.propagate_set_commands to 'local'`,
  'set local citus.enable_unsafe_triggers to on',
].join('; ');

/** Call it before the transaction limits its waits. A server must not work on half of a distribution. */
export const prepareMigration = async (client: pg.ClientBase): Promise<void> => {
  const left = await undistributedTables(client);
  if (left.length > 0) {
    throw new Error(
      `The distribution of the database was interrupted: ${left.length} tables are not distributed, the first is ${left[0]}. ` +
        'Run `holdfast distribute` to complete it.',
    );
  }
  await client.query(SETTINGS);
};

export class StatementFailed extends Error {
  /** The line of the file. */
  readonly line: number;
  constructor(cause: Error, line: number) {
    super(cause.message, { cause });
    this.line = line;
  }
}

export const applyStatements = async (client: pg.ClientBase, sql: string): Promise<void> => {
  for (const { text, line } of splitStatements(sql)) {
    await client.query(text).catch((error: Error) => {
      throw new StatementFailed(error, line);
    });
  }
  for (const table of await undistributedTables(client)) await distributeTable(client, table);
  await shareFunctions(client);
};

/** After the last migration. What is there already stays. */
export const completeMigration = (client: pg.ClientBase): Promise<void> =>
  createWriteFunctions(client, { isDistributed: true });
