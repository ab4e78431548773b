// A process that archives or restores, and kills itself at the given step: `node killed-archiver.ts '{"verb":"create", …}'`.

import { createCommitter } from '../../server/src/commit/committer.ts';
import { createArchiver } from '../../server/src/modules/archives/archiver.ts';
import type { Period } from '../../server/src/modules/archives/periods.ts';
import { type Connection, openLane, openPool } from '../../server/src/postgres/connection.ts';
import { TABLES } from '../../server/src/registry.ts';

export type Killed = {
  readonly verb: 'create' | 'restore';
  readonly connection: Connection;
  readonly marketplaceId: string;
  readonly dir: string;
  readonly period: Period;
  readonly nowMicros: number;
  /** The process kills itself when it reaches this step for the given time. */
  readonly step: string;
  readonly time: number;
};

const { verb, connection, marketplaceId, dir, period, nowMicros, step, time } = JSON.parse(process.argv[2]!) as Killed;

let micros = nowMicros;
let reached = 0;
const pool = openPool(connection, { max: 3, onError() {} });
const committer = createCommitter({
  tables: TABLES,
  connect: () => openLane(connection),
  clock: () => ++micros,
  lanes: 1,
  groupMax: 10,
  queueMax: 10,
  patienceMs: 10_000,
  onEvents() {},
  onTrouble() {},
});
const archiver = createArchiver({
  pool,
  submit: committer.submit,
  dir,
  version: 'test',
  onStep(at) {
    if (at === step && ++reached === time) process.kill(process.pid, 'SIGKILL');
  },
});
if (verb === 'create') await archiver.create(marketplaceId, period);
else await archiver.restore(marketplaceId);
await committer.close();
await pool.end();
