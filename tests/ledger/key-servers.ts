// Servers on one database whose key-encryption keys a test can change while they run, as a command or a token would.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { heldKek, type KeySource } from '../../server/src/ledger/keys/key-ring.ts';
import type { Hooks } from '../../tools/test-database/afterwards.ts';
import { MASTER_KEY, startApp, type TestApp } from '../support/app.ts';

export const kek = (version: number): Kek => ({ version, key: randomBytes(32) });

type ChangingSource = KeySource & { set(keks: readonly Kek[]): void };

export const changingSource = (keks: readonly Kek[]): ChangingSource => {
  let current = keks;
  return {
    setting: 'the keys of the test',
    load: async () => current.map(heldKek),
    set(next) {
      current = next;
    },
  };
};

const BEAT = { WALLET_KEY_BEAT_S: '1' };

/** A server with its source; `beside` is a server whose database it uses. */
export const startKeyServer = async (t: Hooks, keks: readonly Kek[], beside?: TestApp) => {
  const source = changingSource(keks);
  const connection = beside ? { connection: beside.connection } : {};
  const app = await startApp(t, { env: BEAT, keySource: source, ...connection });
  const call = async (request: string, body?: unknown) =>
    app.call(request, { key: MASTER_KEY, ...(body === undefined ? {} : { body }) });
  return {
    app,
    source,
    keys: async () => (await call('GET /wallet-keys')).body.data,
    rotate: (keyId?: string) => call('POST /wallet-keys/rotate', keyId === undefined ? undefined : { keyId }),
    /** The id of the key that sealed the wallet of a new user. */
    async sealOfNewUser(): Promise<string> {
      const id = await app.aUser();
      const rows = await app.sql('select sealed_secret from wallets where user_id = $1', [id]);
      assert.equal(rows.length, 1);
      return rows[0].sealed_secret.split('.')[1];
    },
  };
};

export type KeyServer = Awaited<ReturnType<typeof startKeyServer>>;
