// The migrated schema with every marketplace table partitioned by the hash of its marketplace. PostgreSQL refuses a key
// without the partition column. Distributed databases have the same rule.

import pg from 'pg';
import { dumpSchema } from '../../server/src/commit/schema-dump.ts';
import type { Connection } from '../../server/src/postgres/postmaster.ts';
import { HOUSE_TABLES } from './tenancy-lists.ts';

const PARTITIONS = 8;

const TABLE = /^create table (\w+) \(\n([\s\S]*?)\n\)( with \([^)]*\))?;$/gm;

const isHouse = (table: string): boolean => HOUSE_TABLES.some(({ name }) => name === table);

/** Storage options belong to the partitions, which hold the rows. */
const cutUp = (name: string, { columns, options }: { columns: string; options: string }): string =>
  [
    `create table ${name} (\n${columns}\n) partition by hash (marketplace_id);`,
    ...Array.from(
      { length: PARTITIONS },
      (_, place) => `create table ${name}_${place} partition of ${name}
  for values with (modulus ${PARTITIONS}, remainder ${place})${options};`,
    ),
  ].join('\n');

/** The dumped schema with partitioned marketplace tables, without tables that have no marketplace. */
const partitionedSchema = (schema: string): string =>
  schema.replaceAll(TABLE, (_, name: string, columns: string, options = '') =>
    isHouse(name) ? '' : cutUp(name, { columns, options }),
  );

export const tablesOf = (schema: string): string[] =>
  [...schema.matchAll(TABLE)].map(([, name]) => name!).filter((name) => !isHouse(name));

/** Partitions a migrated database with its rows. No writer may be connected. Returns the tables that it partitioned. */
export const partitionDatabase = async (connection: Connection): Promise<string[]> => {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const schema = await dumpSchema(client);
    const tables = tablesOf(schema);
    const each = (statement: (table: string) => string): string => tables.map(statement).join('; ');
    await client.query('begin; create schema undivided');
    await client.query(each((table) => `alter table ${table} set schema undivided`));
    await client.query(partitionedSchema(schema));
    await client.query(each((table) => `insert into ${table} select * from undivided.${table}`));
    await client.query('drop schema undivided cascade; commit');
    return tables;
  } finally {
    await client.end();
  }
};
