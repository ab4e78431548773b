// Drill: a backup is taken while money moves, restored into an empty folder, and started there. The restored books are
// compared with those that went on without them.

import path from 'node:path';
import { type Config, type Env, readConfig } from '../../server/src/config/config.ts';
import { loadSecrets } from '../../server/src/config/secrets.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { archivesIn } from '../../server/src/programs/backup/archives.ts';
import { restoreBackup, takeBackup } from '../../server/src/programs/backup/backup.ts';
import { compareHead, readHeads } from '../../server/src/programs/backup/heads.ts';
import { proveRestored } from '../../server/src/programs/backup/proof.ts';
import { beginLoad, progress, settle } from './load.ts';
import { runService } from './server.ts';
import { type Drill, forSeconds, type Stage } from './stage.ts';

const BEFORE_HOLD = `select e.seq::text as "auditSeq", e.hash as "auditHash" from audit_entries e join audit_entries h
  on h.marketplace_id = e.marketplace_id and h.action = 'PAYMENTS_HELD' and h.seq = e.seq + 1
  where e.marketplace_id = $1 order by e.seq limit 1`;
const ACKNOWLEDGED_MIN = 100;

/** None of the settings: the restored folder has its own. */
const keysOf = (env: Env): Config['keys'] => {
  const read = readConfig(env);
  if (!read.ok) throw new Error(read.problems.join(' '));
  return read.config.keys;
};

/** Straight into the embedded database of a running server. */
export const openEmbedded = (stage: Stage, dataDir: string) => {
  const host = path.join(dataDir, 'postgres');
  const pool = openPool({ host, port: 5432, user: 'holdfast', database: 'holdfast' }, { max: 2, onError() {} });
  stage.afterwards(() => pool.end());
  return pool;
};

const play: Drill['play'] = async (stage, { seconds }) => {
  const service = await runService(stage, { dataDir: await stage.folder() });
  const load = await beginLoad(stage, service);
  await progress(load, ACKNOWLEDGED_MIN);
  await forSeconds(seconds);
  const before = load.acknowledged.length;
  const backup = path.join(await stage.folder(), 'backup');
  stage.say(`${before} credits acknowledged; a backup is taken under load`);
  const startedAt = performance.now();
  const { bytes, logSegments } = await takeBackup(service.dataDir, backup);
  const tookMs = Math.round(performance.now() - startedAt);
  const during = load.acknowledged.length - before;
  stage.found('a backup does not stop the service', {
    holds: during > 0,
    detail: `${during} credits in ${tookMs} ms; ${Math.ceil(bytes / 1024 ** 2)} MiB, ${logSegments} log segments`,
  });
  await progress(load, ACKNOWLEDGED_MIN);
  const live = openEmbedded(stage, service.dataDir);
  await settle(stage, { load, pool: live });

  stage.say('The backup is restored into an empty folder, and a server starts there');
  const dataDir = await stage.folder();
  const manifest = await restoreBackup(backup, dataDir);
  const restored = await runService(stage, { dataDir });
  const pool = openEmbedded(stage, dataDir);
  const { walletKeks } = await loadSecrets({ dataDir, keys: keysOf({}) });
  for (const { promise, ...seen } of await proveRestored(pool, {
    manifest,
    keeper: keepKeks(walletKeks),
    archiveDir: archivesIn(dataDir),
  }))
    stage.found(promise, seen);
  const references = load.acknowledged.slice(0, before).map(({ reference }) => reference);
  const there = await pool.query('select 1 from postings where reference = any($1) and account_id like $2', [
    references,
    'usr%',
  ]);
  stage.found('the backup contains everything that was acknowledged before it', {
    holds: there.rowCount === before,
    detail: `${there.rowCount} of ${before}`,
  });
  const client = await pool.connect();
  const [now] = await readHeads(client).finally(() => client.release());
  // A restored server begins with one entry of its own: the hold of payments.
  const last = await pool.query(BEFORE_HOLD, [now!.marketplaceId]);
  const head = { ...now!, ...last.rows[0] };
  const original = await live.connect();
  const same = await compareHead(original, head).finally(() => original.release());
  stage.found('the restored books equal the original books at the time of the backup', same);
  const answer = await fetch(`${restored.url}/api/v1/health/detailed`);
  const { data } = (await answer.json()) as { data: { probes: { name: string; status: string }[] } };
  const ill = data.probes.filter(({ status }) => status !== 'ok' && status !== 'not_configured');
  stage.found('the restored server is healthy and holds payments', {
    holds: ill.length === 1 && ill[0]!.name === 'payment-hold',
    detail: ill.map(({ name, status }) => `${name} is ${status}`).join(', '),
  });
};

export const backup: Drill = {
  name: 'backup',
  about: 'a backup is taken under load and restored, and its books are proved',
  seconds: 5,
  play,
};
