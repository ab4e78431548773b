// The rotation of the key-encryption key with the real program: it reseals the credentials of own accounts, and afterwards the newest key
// alone opens them.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { openSecrets, sealSecrets } from '../../server/src/modules/provider-credentials/secrets.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { MASTER_KEY } from '../support/app.ts';
import { openPayments } from './payment-fixture.ts';

const SCRIPT = new URL('../../server/src/programs/rotate-wallet-keys.ts', import.meta.url).pathname;
const MARKETPLACE = 'mkt_own';

const textOf = (keks: readonly Kek[]): string =>
  keks.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');

test('npm run wallets:rotate reseals the credentials of payment accounts, and refuses while a key is missing', async (t) => {
  const { app, control } = await openPayments(t);
  const secrets = { apiKey: 'key-own', apiSecret: 'secret-own', webhookSecret: `whsec_${'A'.repeat(32)}` };
  const { apiKey: key, apiSecret: secret, webhookSecret } = secrets;
  await control('POST /enterprises', { name: 'own', key, secret, webhookSecret, openingBalance: '500.00' });
  // A marketplace begins with its first key.
  await app.key(['read'], MARKETPLACE);
  const path = `/marketplaces/${MARKETPLACE}/payment-provider`;
  for (const method of ['PUT', 'PUT']) {
    assert.equal((await app.call(`${method} ${path}`, { key: MASTER_KEY, body: secrets })).status, 200);
  }
  const seals = (): Promise<{ id: string; sealed: string; version: number }[]> =>
    app.sql('select id, sealed_secrets as sealed, version from provider_credentials order by id');
  // The program refuses the weak key of the tests.
  const first: Kek = { version: 1, key: randomBytes(32) };
  for (const { id } of await seals()) {
    const sealed = await sealSecrets(keepKeks([first]), {
      secrets,
      place: { marketplaceId: MARKETPLACE, credentialsId: id },
    });
    await app.sql('update provider_credentials set sealed_secrets = $1 where id = $2', [sealed, id]);
  }
  const before = await seals();
  // Its server has other keys, and a rotation waits for every running server.
  await app.close();
  assert.equal(before.length, 2, 'the current one and the former one');

  const dataDir = await temporaryFolder(t);
  const rotate = async (keks: readonly Kek[]) => {
    const env = {
      PATH: process.env.PATH,
      DATABASE_URL: urlOf(app.connection as Parameters<typeof urlOf>[0]),
      DATA_DIR: dataDir,
      WALLET_KEK: textOf(keks),
    };
    return promisify(execFile)(process.execPath, [SCRIPT], { env }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    );
  };
  const fresh: Kek = { version: 2, key: randomBytes(32) };
  const lacking = await rotate([fresh]);
  assert.equal(lacking.code, 1);
  assert.match(lacking.stderr, /Nothing was changed: WALLET_KEK lacks the key-encryption key 1, which sealed provider/);
  assert.deepEqual(await seals(), before);

  const { code, stdout, stderr } = await rotate([fresh, first]);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^Provider credentials sealed with the key-encryption key 2: 2\.$/m);
  for (const { id, sealed } of await seals()) {
    const place = { marketplaceId: MARKETPLACE, credentialsId: id };
    assert.deepEqual(await openSecrets(keepKeks([fresh]), { sealed, place }), secrets);
    await assert.rejects(openSecrets(keepKeks([first]), { sealed, place }));
  }
  assert.doesNotMatch((await rotate([fresh])).stdout, /Provider credentials/, 'nothing is left to do');
});
