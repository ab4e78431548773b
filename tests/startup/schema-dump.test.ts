// The committed schema is the one the migrations make, and the dump shows everything that matters.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import pg from 'pg';
import { dumpSchema } from '../../server/src/commit/schema-dump.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { createDatabase } from '../../tools/test-database/database.ts';

const EXPECTED = `create type mood as enum (
  'good',
  'bad'
);

create domain cents as bigint
  constraint cents_check CHECK ((VALUE >= 0));

create sequence later as bigint start 7 increment 1 minvalue 1 maxvalue 9223372036854775807 cache 1;

create table apple (
  zebra_id bigint,
  name text collate "C",
  constraint apple_name_key UNIQUE (name),
  constraint apple_zebra_id_fkey FOREIGN KEY (zebra_id) REFERENCES zebra(id)
);

create table zebra (
  id bigint generated always as identity not null,
  mood mood default 'good'::mood not null,
  amount cents,
  twice bigint generated always as (((amount)::bigint * 2)) stored,
  constraint zebra_pkey PRIMARY KEY (id),
  constraint small CHECK (((amount)::bigint < 100))
) with (fillfactor=50);
CREATE INDEX by_mood ON public.zebra USING btree (mood) WHERE ((amount)::bigint > 5);
CREATE TRIGGER guard BEFORE DELETE ON public.zebra FOR EACH ROW EXECUTE FUNCTION refuse();
comment on table zebra is 'Stripes';

create view good as
 SELECT 'good'::mood AS mood;

CREATE OR REPLACE FUNCTION public.refuse()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception 'no'; end; $function$;
`;

test('the committed schema is the one the migrations make', async (t) => {
  const client = await connect(t, { empty: false });
  const committed = await readFile(new URL('../../server/src/commit/schema.sql', import.meta.url), 'utf8');
  assert.equal(await dumpSchema(client), committed, 'print it anew with: node scripts/dump-schema.ts');
});

test('every kind of object shows in the dump, always in the same order', async (t) => {
  const client = await connect(t, { empty: true });
  await client.query(`
    create type mood as enum ('good', 'bad');
    create domain cents as bigint check (value >= 0);
    create sequence later start 7;
    create table zebra (
      id bigint generated always as identity primary key,
      mood mood not null default 'good',
      amount cents,
      twice bigint generated always as (amount * 2) stored,
      constraint small check (amount < 100)
    ) with (fillfactor = 50);
    create table apple (zebra_id bigint references zebra, name text collate "C" unique);
    create index by_mood on zebra (mood) where amount > 5;
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end; $$;
    create trigger guard before delete on zebra for each row execute function refuse();
    create view good as select 'good'::mood as mood;
    comment on table zebra is 'Stripes';`);
  const dump = await dumpSchema(client);
  assert.equal(dump.slice(dump.indexOf('create type')), EXPECTED);
  assert.equal(await dumpSchema(client), dump);
});

async function connect(t: TestContext, options: { empty: boolean }): Promise<pg.Client> {
  const database = await createDatabase(options);
  afterwards(t, database.drop);
  const client = new pg.Client(database.connection);
  // A connection that is already closing may still receive the error that the database is dropped.
  client.on('error', () => {});
  await client.connect();
  afterwards(t, () => client.end());
  return client;
}
