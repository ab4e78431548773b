// What the committer is measured beside, on the same PostgreSQL server in the same minutes: pgbench's TPC-B, or when it is
// not installed the same transaction from here. It has a database of its own.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type pg from 'pg';
import type { Connection } from '../server/src/postgres/connection.ts';
import { below, CLIENTS, driveClients, openClients, type Yardstick } from './clients.ts';
import { createDatabase, runSql } from './databases.ts';

const execute = promisify(execFile);
/** As many branches as clients or more, or TPC-B measures nothing but waiting for a branch. */
const SCALE = 10;

export const openTpcB = async (server: Connection, cleanUp: AsyncDisposableStack): Promise<Yardstick> => {
  const connection = await createDatabase(server, { name: 'tpcb' });
  const target = ['-h', connection.host!, '-p', String(connection.port), '-U', connection.user!, connection.database!];
  const isInstalled = await execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return openOwnTpcB(connection, cleanUp);

  await execute('pgbench', ['-i', '-q', '-s', String(SCALE), ...target]);
  const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2'];
  return {
    name: `pgbench TPC-B prepared, ${CLIENTS} clients`,
    async run(seconds) {
      const { stdout } = await execute('pgbench', [...options, '-T', String(Math.ceil(seconds)), ...target]);
      const perSecond = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1]);
      if (!(perSecond > 0)) throw new Error(`pgbench did not say how fast it was: ${stdout}`);
      return { perSecond };
    },
  };
};

const TPCB_TABLES = [
  `create table branches with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 88) as filler
    from generate_series(1, ${SCALE}) id`,
  `create table tellers with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 84) as filler
    from generate_series(1, ${SCALE * 10}) id`,
  `create table accounts with (fillfactor = 100) as select id, 0 as balance, repeat(' ', 84) as filler
    from generate_series(1, ${SCALE * 100_000}) id`,
  'create table history (teller int, branch int, account int, delta int, at timestamp, filler char(22))',
  ...['branches', 'tellers', 'accounts'].map((table) => `alter table ${table} add primary key (id)`),
  'vacuum analyze',
];

const openOwnTpcB = async (connection: Connection, cleanUp: AsyncDisposableStack): Promise<Yardstick> => {
  await runSql(connection, TPCB_TABLES);
  const clients = await openClients(connection, cleanUp);
  const transact = async (client: pg.PoolClient): Promise<void> => {
    const account = below(SCALE * 100_000) + 1;
    const teller = below(SCALE * 10) + 1;
    const branch = below(SCALE) + 1;
    const delta = below(10_001) - 5_000;
    const add = (table: string, id: number) =>
      client.query({
        name: `add-${table}`,
        text: `update ${table} set balance = balance + $1 where id = $2`,
        values: [delta, id],
      });
    await client.query({ name: 'begin', text: 'begin' });
    await add('accounts', account);
    await client.query({ name: 'look', text: 'select balance from accounts where id = $1', values: [account] });
    await add('tellers', teller);
    await add('branches', branch);
    await client.query({
      name: 'note',
      text: 'insert into history (teller, branch, account, delta, at) values ($1, $2, $3, $4, current_timestamp)',
      values: [teller, branch, account, delta],
    });
    await client.query({ name: 'commit', text: 'commit' });
  };
  return {
    name: `TPC-B prepared from node (no pgbench here), ${CLIENTS} clients`,
    run: (seconds) => driveClients(clients, { seconds, transact }),
  };
};
