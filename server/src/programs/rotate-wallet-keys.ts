// The command `npm run wallets:rotate`: seals the secrets of all custodial wallets and of all provider credentials with the newest
// key-encryption key of the settings. It may run while servers are running that have this key, and may be stopped and run again. Exits
// with 1 when it failed.

import { systemClock } from '../base/instant.ts';
import { createCommitter } from '../commit/committer.ts';
import { migrate } from '../commit/migrate.ts';
import { readConfig } from '../config/config.ts';
import { openKeyRing } from '../ledger/keys/key-ring.ts';
import { keySourceOf } from '../ledger/keys/key-sources.ts';
import type { Progress } from '../ledger/keys/rotation.ts';
import { systemContext } from '../modules/wallet-keys/change-wallet-keys.ts';
import { requireKeys, resealSecrets } from '../modules/wallet-keys/reseal-secrets.ts';
import { changeWhenConfirmed, rotateWalletKey } from '../modules/wallet-keys/rotate-wallet-key.ts';
import { resealPartsOf } from '../modules/wallet-keys/wire.ts';
import { openLane, openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';
import { TABLES } from '../registry.ts';

/** How many heartbeats a running server has to find the key. */
const PATIENCE_BEATS = 3;
const NOTHING: Progress = { done: 0, of: 0 };

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) complain(problem);
  process.exit(2);
}
const { data, database, walletKeys } = read.config;

const opened = await openCommandDatabase({ url: database.url, dataDir: data.dir }).catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  return process.exit(1);
});
const { connection, close } = opened;
const ring = await openKeyRing(keySourceOf(read.config)).catch(async (error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  await close();
  return process.exit(1);
});
const pool = openPool(connection, { max: 2, onError: () => {} });
await migrate({ pool });
const committer = createCommitter({
  tables: TABLES,
  connect: () => openLane(connection),
  clock: systemClock,
  lanes: 1,
  groupMax: 10,
  queueMax: 10,
  patienceMs: 10_000,
  onEvents() {},
  onTrouble: (message) => complain(message),
});
try {
  const parts = resealPartsOf({ ring, pool, submit: committer.submit });
  await requireKeys(parts);
  const keyId = ring.keyIds[0]!;
  await rotateWalletKey(parts, { keyId, context: systemContext(`rotate-wallets-${keyId}`) });
  const waiting = await changeWhenConfirmed(parts, { keyId, patienceMs: PATIENCE_BEATS * walletKeys.beatMs });
  if (waiting.length > 0) {
    throw new Error(
      `Nothing is resealed yet: these servers do not have the key-encryption key ${keyId}: ${waiting.join(', ')}. Give it to them; the rotation then continues without this command.`,
    );
  }
  ring.sealWith(keyId);
  const onProgress = ({ done, of }: Progress) => say(`${done} of ${of} wallets`);
  const resealed = await resealSecrets({ ...parts, onProgress });
  const { done, of } = resealed?.wallets ?? NOTHING;
  say(`Wallets sealed with the key-encryption key ${keyId}: ${done}.`);
  if (resealed && resealed.credentials > 0) {
    say(`Provider credentials sealed with the key-encryption key ${keyId}: ${resealed.credentials}.`);
  }
  if (done < of) say(`Wallets that changed during the rotation: ${of - done}. Run this command again.`);
} catch (error) {
  process.exitCode = 1;
  complain(error instanceof Error ? error.message : String(error));
} finally {
  await committer.close();
  await pool.end();
  await ring.close();
  await close();
}
