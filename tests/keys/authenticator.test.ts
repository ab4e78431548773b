// The authenticator alone: its queries and comparisons, its cache, and what it removes from the cache.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { systemClock } from '../../server/src/base/instant.ts';
import { newId } from '../../server/src/base/ulid.ts';
import type { ApiKey } from '../../server/src/modules/api-keys/api-key.ts';
import { createAuthenticator } from '../../server/src/modules/api-keys/authenticator.ts';
import { formatKeyText, freshSecret, parseKeyText } from '../../server/src/modules/api-keys/key-text.ts';
import { createTokens } from '../../server/src/modules/api-keys/tokens.ts';

const MASTER = 'the-master-key-of-this-test';

const makeKey = () => {
  const secret = freshSecret();
  const row: ApiKey = {
    id: newId('apiKey', Date.now()),
    name: 'One',
    scopes: ['read'],
    secretHash: secret.hash,
    previousHash: null,
    previousExpiresAt: null,
    rateLimit: null,
    createdAt: '2026-01-01T00:00:00.000000Z',
    expiresAt: null,
    revokedAt: null,
  };
  return { row, text: formatKeyText({ marketplaceId: 'mkt_shop', keyId: row.id, secret: secret.reveal() }) };
};

const fixture = (options: { keysMax?: number; masterKey?: string } = {}) => {
  const stored = new Map<string, ApiKey>();
  const asked: string[] = [];
  const used: string[] = [];
  const time = { aheadMs: 0 };
  const clock = () => systemClock() + time.aheadMs * 1_000;
  const tokens = createTokens({ jwtSecrets: ['a-secret-for-this-test-0123456789abcdef'], ttlMs: 60_000, clock });
  let held: Promise<void> | null = null;
  const guard = createAuthenticator({
    masterKey: MASTER,
    tokens,
    clock,
    async findKey(marketplaceId, keyId) {
      asked.push(keyId);
      const row = marketplaceId === 'mkt_shop' ? (stored.get(keyId) ?? null) : null;
      await held;
      return row;
    },
    onUse: ({ keyId }) => void used.push(keyId),
    ...options,
  });
  const add = () => {
    const made = makeKey();
    stored.set(made.row.id, made.row);
    return made;
  };
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return () => {
      held = null;
      resolve();
    };
  };
  return { guard, tokens, stored, asked, used, time, add, hold };
};

test('the text of a key is parsed whole or not at all', () => {
  const { row, text } = makeKey();
  assert.equal(parseKeyText(text)?.keyId, row.id);
  assert.equal(parseKeyText(text)?.marketplaceId, 'mkt_shop');
  for (const bad of [
    ` ${text}`,
    `${text}\n`,
    `${text} `,
    text.slice(1),
    text.slice(0, -1),
    text.replace('hf_', 'HF_'),
  ]) {
    assert.equal(parseKeyText(bad), null, JSON.stringify(bad));
  }
});

test('a fresh secret is not in its own JSON or properties', () => {
  const secret = freshSecret();
  assert.equal(secret.reveal().length, 43);
  assert.equal(JSON.stringify(secret).includes(secret.reveal()), false);
  assert.equal(Object.values(secret).includes(secret.reveal()), false);
});

test('a cached key is accepted at once and without another query', async () => {
  const { guard, asked, used, add } = fixture();
  const { row, text } = add();
  assert.ok(guard.authenticate(text) instanceof Promise);
  assert.equal((await guard.authenticate(text))?.keyId, row.id);
  const before = asked.length;
  for (let i = 0; i < 100; i++) {
    const holder = guard.authenticate(text);
    assert.ok(holder !== null && !(holder instanceof Promise));
    assert.equal(holder.type, 'api_key');
  }
  assert.equal(asked.length, before);
  assert.equal(used.length, 102);
});

test('a cached token is accepted at once too, and counts as a use of its key', async () => {
  const { guard, tokens, asked, used, add } = fixture();
  const { row } = add();
  const { token } = await tokens.sign({ key: row, marketplaceId: 'mkt_shop', scopes: ['read'] });
  await guard.authenticate(token);
  const before = asked.length;
  const holder = guard.authenticate(token);
  assert.ok(holder !== null && !(holder instanceof Promise));
  assert.equal(holder.type, 'token');
  assert.equal('secretMark' in holder, false);
  assert.equal(asked.length, before);
  assert.deepEqual(used, [row.id, row.id]);
});

test('many requests at once with a key that is not cached cause one query', async () => {
  const { guard, asked, add } = fixture();
  const { text } = add();
  const holders = await Promise.all(Array.from({ length: 50 }, () => guard.authenticate(text)));
  assert.ok(holders.every((holder) => holder !== null));
  assert.equal(asked.length, 1);
});

test('wrong secrets for a cached key cause at most one query a second', async () => {
  const { guard, asked, time, add } = fixture();
  const { text } = add();
  await guard.authenticate(text);
  const wrong = `${text.slice(0, -43)}${'A'.repeat(43)}`;
  for (let i = 0; i < 100; i++) assert.equal(await guard.authenticate(wrong), null);
  assert.equal(asked.length, 1);
  time.aheadMs += 1_001;
  for (let i = 0; i < 100; i++) assert.equal(await guard.authenticate(wrong), null);
  assert.equal(asked.length, 2);
});

test('keys that do not exist are not cached, so a new key works at once', async () => {
  const { guard, stored } = fixture();
  const { row, text } = makeKey();
  assert.equal(await guard.authenticate(text), null);
  stored.set(row.id, row);
  assert.notEqual(await guard.authenticate(text), null);
});

test('a key that was read before its revocation is not cached after it', async () => {
  const { guard, stored, add, hold } = fixture();
  const { row, text } = add();
  const release = hold();
  const underway = guard.authenticate(text);
  stored.set(row.id, { ...row, revokedAt: '2026-01-02T00:00:00.000000Z' });
  guard.forget([row.id]);
  const after = guard.authenticate(text);
  release();
  assert.notEqual(await underway, null, 'the request began before the revocation');
  assert.equal(await after, null);
  assert.equal(await guard.authenticate(text), null);
});

test('forgetting all keys reads each of them anew', async () => {
  const { guard, stored, add } = fixture();
  const made = [add(), add()];
  for (const { text } of made) await guard.authenticate(text);
  for (const { row } of made) stored.delete(row.id);
  guard.forgetAll();
  for (const { text } of made) assert.equal(await guard.authenticate(text), null);
});

test('the number of cached keys is limited', async () => {
  const { guard, asked, add } = fixture({ keysMax: 2 });
  const first = add();
  const second = add();
  const third = add();
  for (const { text } of [first, second, third]) await guard.authenticate(text);
  assert.ok(!(guard.authenticate(third.text) instanceof Promise));
  assert.ok(!(guard.authenticate(second.text) instanceof Promise));
  await guard.authenticate(first.text);
  assert.equal(asked.length, 4);
});

test('the master key is accepted in any form, and no similar text is', async () => {
  const { text } = makeKey();
  for (const masterKey of [MASTER, text, 'aaaa.bbbb.cccc']) {
    const { guard, used } = fixture({ masterKey });
    assert.equal((await guard.authenticate(masterKey))?.type, 'master');
    for (const near of [masterKey.slice(1), `${masterKey}x`, masterKey.toUpperCase(), '']) {
      assert.equal(await guard.authenticate(near), null);
    }
    assert.deepEqual(used, []);
  }
});

test('a failing database is an error that admits no request, and is queried again', async () => {
  const { row, text } = makeKey();
  let down = true;
  const guard = createAuthenticator({
    masterKey: MASTER,
    tokens: createTokens({ jwtSecrets: ['x'.repeat(32)], ttlMs: 1_000, clock: systemClock }),
    clock: systemClock,
    findKey: async () => {
      if (down) throw new Error('the database is gone');
      return row;
    },
  });
  await assert.rejects(async () => guard.authenticate(text));
  down = false;
  assert.equal((await guard.authenticate(text))?.keyId, row.id);
});

test('a refusal costs the same comparisons for a wrong secret, a revoked key and an unknown id', async (t) => {
  const { guard, stored, add } = fixture();
  const known = add();
  const revoked = add();
  const unknown = makeKey();
  stored.set(revoked.row.id, { ...revoked.row, revokedAt: '2026-01-02T00:00:00.000000Z' });
  for (const { text } of [known, revoked]) await guard.authenticate(text);

  const compare = t.mock.method(crypto, 'timingSafeEqual');
  syncBuiltinESMExports();
  t.after(syncBuiltinESMExports);
  const costs: number[] = [];
  for (const bearer of [`${known.text.slice(0, -43)}${'A'.repeat(43)}`, revoked.text, unknown.text]) {
    const before = compare.mock.callCount();
    assert.equal(await guard.authenticate(bearer), null);
    costs.push(compare.mock.callCount() - before);
  }
  assert.deepEqual(costs, [3, 3, 3]);
});
