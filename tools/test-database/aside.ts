// One statement over a connection of its own.

import pg from 'pg';
import type { Connection } from '../../server/src/postgres/connection.ts';

export const aside = async (connection: Connection, text: string, values: unknown[] = []) => {
  const client = new pg.Client(connection);
  await client.connect();
  return client.query(text, values).finally(() => client.end());
};
