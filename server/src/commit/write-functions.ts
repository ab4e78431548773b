// Creates the functions that write a group on a distributed database. A function that exists stays as it is: its name contains a hash of
// its body.

import type pg from 'pg';
import type { WriteFunction } from './statements.ts';
import { WRITE_FUNCTIONS } from './write.ts';

/** The parameter whose value names the machine. */
const MARKETPLACE = 'marketplace';

const signatureOf = ({ name, types }: WriteFunction): string => `${name}(${types.join(', ')})`;

const createSql = ({ name, types: [first, ...others], body }: WriteFunction): string =>
  `create function ${name}(${[`${MARKETPLACE} ${first}`, ...others].join(', ')}) returns void language plpgsql as $$${body}$$`;

const missingFunctions = async (client: pg.ClientBase): Promise<WriteFunction[]> => {
  const names = WRITE_FUNCTIONS.map(({ name }) => name);
  const { rows } = await client.query<{ name: string }>('select proname as name from pg_proc where proname = any($1)', [
    names,
  ]);
  const found = new Set(rows.map(({ name }) => name));
  return WRITE_FUNCTIONS.filter(({ name }) => !found.has(name));
};

/** The functions run on the machine that has the marketplace, also inside a transaction. */
const delegate = (
  each: WriteFunction,
): string => `select create_distributed_function('${signatureOf(each)}', '${MARKETPLACE}',
  colocate_with => 'marketplaces', force_delegation => true)`;

export const createWriteFunctions = async (
  client: pg.ClientBase,
  { isDistributed }: { isDistributed: boolean },
): Promise<void> => {
  for (const each of await missingFunctions(client)) {
    await client.query(createSql(each));
    if (isDistributed) await client.query(delegate(each));
  }
};
