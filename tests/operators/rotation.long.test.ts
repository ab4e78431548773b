// The rotation of the key-encryption key with the real program: it reseals the codes of operators, and afterwards the newest key alone opens
// them, so a code of the app still signs in.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { settingsSource } from '../../server/src/ledger/keys/key-ring.ts';
import { urlOf } from '../../tools/cluster/database.ts';
import { temporaryFolder } from '../../tools/test-database/folder.ts';
import { startApp } from '../support/app.ts';
import { anOperator, ask, codeAt, PASSWORD, stepNow } from '../support/operator-fixture.ts';

const SCRIPT = new URL('../../server/src/programs/rotate-wallet-keys.ts', import.meta.url).pathname;

const textOf = (keks: readonly Kek[]): string =>
  keks.map(({ version, key }) => `${version}:${key.toString('base64')}`).join(',');

test('npm run wallets:rotate reseals the codes of operators', async (t) => {
  const old: Kek = { version: 1, key: randomBytes(32) };
  const fresh: Kek = { version: 2, key: randomBytes(32) };
  const first = await startApp(t, { keySource: settingsSource([old]) });
  const { id, email, secret } = await anOperator(first);
  const sealOf = async (): Promise<string> =>
    (await first.sql('select sealed_totp as sealed from operators where id = $1', [id]))[0].sealed;
  const before = await sealOf();
  // A rotation waits for every running server.
  await first.close();
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: urlOf(first.connection as Parameters<typeof urlOf>[0]),
    DATA_DIR: await temporaryFolder(t),
    WALLET_KEK: textOf([fresh, old]),
  };
  await promisify(execFile)(process.execPath, [SCRIPT], { env });
  assert.notEqual(await sealOf(), before);
  const second = await startApp(t, { connection: first.connection, keySource: settingsSource([fresh]) });
  const body = { email, password: PASSWORD, code: codeAt(secret, stepNow() + 1) };
  const answer = await ask(second, 'POST /console/session', { body });
  assert.equal(answer.status, 200, answer.text);
});
