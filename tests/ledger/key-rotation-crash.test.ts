// A rotation of the key-encryption key that is interrupted before or after each of its commits, and one beside signing: another server
// continues it, every secret opens at every moment, and each wallet is resealed once.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Submit } from '../../server/src/commit/command.ts';
import type { Kek } from '../../server/src/ledger/keys/key-keeper.ts';
import { type KeyRing, keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { keyIdOf, openSecret } from '../../server/src/ledger/keys/seal.ts';
import { openSecrets, sealSecrets } from '../../server/src/modules/provider-credentials/secrets.ts';
import { systemContext } from '../../server/src/modules/wallet-keys/change-wallet-keys.ts';
import { createKeyHolders } from '../../server/src/modules/wallet-keys/holders.ts';
import { createKeyWatch } from '../../server/src/modules/wallet-keys/key-watch.ts';
import { resealSecrets } from '../../server/src/modules/wallet-keys/reseal-secrets.ts';
import { rotateWalletKey } from '../../server/src/modules/wallet-keys/rotate-wallet-key.ts';
import { resealPartsOf } from '../../server/src/modules/wallet-keys/wire.ts';
import { openPool } from '../../server/src/postgres/connection.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { kek } from './key-servers.ts';
import { openWallets, type WalletFixture } from './wallet-fixture.ts';

/** Long enough for no second heartbeat: a test calls them. */
const BEAT_MS = 3_600_000;

type Crash = { readonly at: number; readonly when: 'before' | 'after' };

/** Ends the process with its commit number `at`: before it is sent, or after it is durable and before its answer. */
const crashing = (submit: Submit, { at, when }: Crash): Submit => {
  let commits = 0;
  return async (submission) => {
    commits += 1;
    if (commits > at || (commits === at && when === 'before')) throw new Error('the process was killed');
    const outcome = await submit(submission);
    if (commits === at) throw new Error('the process was killed');
    return outcome;
  };
};

const openRotation = async (t: TestContext, users: number) => {
  const fixture = await openWallets(t);
  const pool = openPool(fixture.connection, { max: 3, onError() {} });
  afterwards(t, () => pool.end());
  for (let made = 0; made < users; made++) await fixture.user();

  /** One server: it rotates, follows with its heartbeat, and reseals. */
  const server = (keks: readonly Kek[], submit: Submit = fixture.submit) => {
    const ring = keepKeks(keks);
    const parts = resealPartsOf({ ring, pool, submit });
    const watch = createKeyWatch({
      ...parts,
      holders: createKeyHolders(pool),
      beatMs: BEAT_MS,
      onChanged() {},
      reseal() {},
      onTrouble() {},
    });
    return {
      ring,
      watch,
      parts,
      async rotate(keyId: string): Promise<void> {
        await rotateWalletKey(parts, { keyId, context: systemContext('test') });
        await watch.beat();
        await resealSecrets(parts);
      },
    };
  };
  return { fixture, pool, server };
};

const openAll = async (fixture: WalletFixture, ring: KeyRing): Promise<string[]> => {
  const rows = await fixture.sql('select marketplace_id, id, address, sealed_secret from wallets order by id');
  for (const { marketplace_id: marketplaceId, id: walletId, address, sealed_secret: sealed } of rows) {
    await openSecret(ring, { sealed, place: { marketplaceId, walletId, address } });
  }
  return [...new Set(rows.map(({ sealed_secret }) => keyIdOf(sealed_secret)))].sort();
};

/** Announce, change, one slice of wallets for the one marketplace, finish. */
const COMMITS = 4;

test('a rotation that is killed before or after any of its commits is finished by the next server', async (t) => {
  const { fixture, pool, server } = await openRotation(t, 3);
  let current = fixture.keks;
  let version = 1;
  for (let at = 1; at <= COMMITS; at++) {
    for (const when of ['before', 'after'] as const) {
      version += 1;
      const keyId = String(version);
      const keks = [kek(version), ...current];
      const killed = server(keks, crashing(fixture.submit, { at, when }));
      await killed.watch.start();
      await assert.rejects(killed.rotate(keyId), /the process was killed/, `${when} commit ${at}`);
      const survivor = server(keks);
      await openAll(fixture, survivor.ring);
      // The heartbeat of a killed server expires.
      await pool.query(`update wallet_key_holders set expires_at = now() where expires_at > now()`);
      await survivor.watch.start();
      await survivor.rotate(keyId);
      assert.deepEqual(await openAll(fixture, survivor.ring), [keyId], `${when} commit ${at}`);
      const [state] = await fixture.sql('select * from wallet_keys');
      assert.deepEqual([state.sealing_key_id, state.announced_key_id], [keyId, null]);
      assert.notEqual(state.finished_at, null);
      const [{ count }] = await fixture.sql(
        `select count(*)::int as count from audit_entries where action = 'WALLET_KEY_ROTATED' and payload_after like '%"${keyId}"%'`,
      );
      assert.equal(count, 3, 'each wallet once');
      await survivor.watch.close();
      current = [keks[0]!];
    }
  }
});

test('two servers that reseal at once, while users are created and a wallet signs, leave no secret under the old key', async (t) => {
  const { fixture, server } = await openRotation(t, 8);
  const first = await fixture.user();
  const keks = [kek(2), ...fixture.keks];
  const one = server(keks);
  const other = server(keks);
  await one.watch.start();
  await other.watch.start();
  assert.deepEqual([one.ring.currentKeyId, other.ring.currentKeyId], ['2', '2'], 'all servers have it from the start');
  await Promise.all([
    one.rotate('2'),
    other.rotate('2'),
    fixture.activate(first.wallet),
    ...Array.from({ length: 4 }, () => fixture.user()),
  ]);
  // The server of the fixture does not take part: it seals with the old key. Rotating again finds its wallets.
  await one.rotate('2');
  assert.deepEqual(await openAll(fixture, one.ring), ['2']);
  const [{ rotated, wallets }] = await fixture.sql(`select (select count(*)::int from wallets) as wallets,
    (select count(*)::int from audit_entries where action = 'WALLET_KEY_ROTATED') as rotated`);
  assert.equal(rotated, wallets);
});

test('a server whose heartbeat has expired does not hold a rotation up, and one that lacks the key does', async (t) => {
  const { fixture, pool, server } = await openRotation(t, 2);
  const behind = server(fixture.keks);
  await behind.watch.start();
  const ahead = server([...fixture.keks, kek(2)]);
  await ahead.watch.start();
  await ahead.rotate('2');
  assert.deepEqual(await openAll(fixture, ahead.ring), ['1']);
  await pool.query(`update wallet_key_holders set expires_at = now() where key_ids = '{1}'`);
  await ahead.watch.beat();
  await resealSecrets(ahead.parts);
  assert.deepEqual(await openAll(fixture, ahead.ring), ['2']);
});

test('provider credentials come under the new key with the wallets', async (t) => {
  const { fixture, pool, server } = await openRotation(t, 2);
  const secrets = { apiKey: 'key-own', apiSecret: 'secret-own', webhookSecret: `whsec_${'A'.repeat(32)}` };
  const place = { marketplaceId: 'mkt_own', credentialsId: 'crd_1' };
  const sealed = await sealSecrets(fixture.keeper, { secrets, place });
  await fixture.user({ marketplaceId: 'mkt_own' });
  await pool.query(
    `insert into provider_credentials (marketplace_id, id, version, provider, provider_account, sealed_secrets, created_at, updated_at)
     values ('mkt_own', 'crd_1', 1, 'payment-provider', 'acc_1', $1, now(), now())`,
    [sealed],
  );
  const fresh = kek(2);
  const one = server([fresh, ...fixture.keks]);
  await one.watch.start();
  await one.rotate('2');
  const [row] = await fixture.sql('select sealed_secrets from provider_credentials');
  assert.deepEqual(await openSecrets(keepKeks([fresh]), { sealed: row.sealed_secrets, place }), secrets);
  assert.deepEqual(await openAll(fixture, keepKeks([fresh])), ['2']);
});
