// The command `npm run wallets:rotate`: seals the secrets of all custodial wallets and of all provider credentials with the newest
// key-encryption key of the settings. It may run while a server is running, and may be stopped and run again. Exits with 1 when it failed.

import { systemClock } from '../base/instant.ts';
import { createCommitter } from '../commit/committer.ts';
import { migrate } from '../commit/migrate.ts';
import { readConfig } from '../config/config.ts';
import { loadSecrets } from '../config/secrets.ts';
import { keepKeks } from '../ledger/keys/key-keeper.ts';
import { rotateWallets } from '../ledger/keys/rotation.ts';
import { createWalletReads } from '../ledger/keys/wallet-queries.ts';
import { createCredentialReads } from '../modules/provider-credentials/queries.ts';
import { requireCredentialKeys, rotateCredentials } from '../modules/provider-credentials/rotation.ts';
import { openLane, openPool } from '../postgres/connection.ts';
import { openCommandDatabase } from '../postgres/for-command.ts';
import { TABLES } from '../registry.ts';

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const complain = (line: string): void => void process.stderr.write(`${line}\n`);

const read = readConfig(process.env);
if (!read.ok) {
  for (const problem of read.problems) complain(problem);
  process.exit(2);
}
const { data, database, keys } = read.config;

const opened = await openCommandDatabase({ url: database.url, dataDir: data.dir }).catch((error: unknown) => {
  complain(error instanceof Error ? error.message : String(error));
  return process.exit(1);
});
const { connection, close } = opened;
const { walletKeks } = await loadSecrets({ dataDir: data.dir, keys });
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
  const keeper = keepKeks(walletKeks);
  const credentials = createCredentialReads(pool);
  await requireCredentialKeys({ credentials, keeper });
  const { done, of } = await rotateWallets({
    wallets: createWalletReads(pool),
    keeper,
    submit: committer.submit,
    onProgress: (progress) => say(`${progress.done} of ${progress.of} wallets`),
  });
  say(`Wallets sealed with the key-encryption key ${keeper.currentKeyId}: ${done}.`);
  const resealed = await rotateCredentials({ credentials, keeper, submit: committer.submit });
  if (resealed > 0) say(`Provider credentials sealed with the key-encryption key ${keeper.currentKeyId}: ${resealed}.`);
  if (done < of) say(`Wallets that changed during the rotation: ${of - done}. Run this command again.`);
} catch (error) {
  process.exitCode = 1;
  complain(error instanceof Error ? error.message : String(error));
} finally {
  await committer.close();
  await pool.end();
  await close();
}
