// Passwords and tokens of people as units: their cost, the input they accept, and tokens that are forged.

import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { createGate } from '../../server/src/base/concurrency.ts';
import { isDomainError } from '../../server/src/base/domain-error.ts';
import { systemClock } from '../../server/src/base/instant.ts';
import { createPasswords } from '../../server/src/modules/passwords/passwords.ts';
import { createPeopleTokens } from '../../server/src/modules/projects/people/people-tokens.ts';

const OLD = 'an-old-secret-0123456789abcdefghijkl';
const NEW = 'a-new-secret-0123456789abcdefghijklm';
const WHO = { marketplaceId: 'mkt_shop', userId: 'usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W' };
const DAY_MS = 86_400_000;

const tokensWith = (jwtSecrets: string[], aheadMs = 0) =>
  createPeopleTokens({ jwtSecrets, ttlMs: DAY_MS, clock: () => systemClock() + aheadMs * 1_000 });

test('a password fits its own text and no other does, whatever parameters it was made with', async () => {
  const passwords = createPasswords();
  const stored = await passwords.hash('correct horse battery');
  assert.equal(await passwords.verify('correct horse battery', stored), true);
  assert.equal(await passwords.verify('correct horse batterx', stored), false);
  const salt = Buffer.from('0123456789abcdef');
  const cost = { memory: 64, passes: 3, parallelism: 1 };
  const tag = crypto.argon2Sync('argon2id', { ...cost, message: 'cheap', nonce: salt, tagLength: 32 });
  const text = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', '')).join('$');
  const cheap = `$argon2id$v=19$m=64,t=3,p=1$${text}`;
  assert.equal(await passwords.verify('cheap', cheap), true);
  assert.equal(await passwords.verify('dear', cheap), false);
  await assert.rejects(passwords.verify('cheap', '$2b$10$something-else'), /not in the form/);
});

test('another Unicode form of the same letters is the same password', async () => {
  const passwords = createPasswords();
  const stored = await passwords.hash('pass\u00e9 compos\u00e9');
  assert.equal(await passwords.verify('passe\u0301 compose\u0301', stored), true);
});

test('an unknown account costs one hash with the same parameters, and never matches', async (t) => {
  const real = crypto.argon2;
  const seen: unknown[] = [];
  const spy = ((algorithm, parameters, callback) => {
    const { message: _, nonce, ...cost } = parameters;
    seen.push({ algorithm, ...cost, nonce: (nonce as Buffer).length });
    real(algorithm, parameters, callback);
  }) as typeof crypto.argon2;
  crypto.argon2 = spy;
  syncBuiltinESMExports();
  t.after(() => {
    crypto.argon2 = real;
    syncBuiltinESMExports();
  });
  // Loaded anew, so that it takes the spied function.
  const fresh: typeof import('../../server/src/modules/passwords/passwords.ts') = await import(
    `../../server/src/modules/passwords/passwords.ts?${crypto.randomUUID()}`
  );
  const passwords = fresh.createPasswords();
  const stored = await passwords.hash('correct horse battery');
  seen.length = 0;
  assert.equal(await passwords.verify('wrong password', stored), false);
  assert.equal(await passwords.verify('wrong password', null), false);
  assert.equal(seen.length, 2);
  assert.deepEqual(seen[0], seen[1]);
});

test('the gate admits a limited number at once, queues a limited number, and refuses the rest with a retry time', async () => {
  const gate = createGate({ atOnce: 2, waitingMax: 2 });
  const inside: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const work = async (): Promise<void> => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => inside.push(resolve));
    running--;
  };
  const entered = [gate(work), gate(work), gate(work), gate(work)];
  await assert.rejects(
    gate(work),
    (error) => isDomainError(error) && error.code === 'SERVICE_UNAVAILABLE' && error.details.retryAfter === 1,
  );
  assert.deepEqual([inside.length, most], [2, 2]);
  const all = Promise.all(entered);
  for (let left = 4; left > 0; left--) {
    let leave = inside.shift();
    for (; !leave; leave = inside.shift()) await new Promise((resolve) => setImmediate(resolve));
    leave();
  }
  await all;
  assert.equal(most, 2);
  await assert.rejects(
    gate(async () => Promise.reject(new Error('inside'))),
    /inside/,
  );
  assert.equal(await gate(async () => 'free again'), 'free again');
});

test('a token names its user and is valid for one day, not a second longer', async () => {
  const token = await tokensWith([OLD]).sign(WHO);
  const { sub, mkt, aud, iss, iat, exp, jti } = decodeJwt(token);
  assert.deepEqual(
    [sub, mkt, aud, iss, exp! - iat!],
    [WHO.userId, WHO.marketplaceId, 'holdfast:people', 'holdfast', 86_400],
  );
  assert.equal(typeof jti, 'string');
  assert.deepEqual(await tokensWith([OLD], DAY_MS - 5_000).verify(token), WHO);
  assert.equal(await tokensWith([OLD], DAY_MS + 1_000).verify(token), null);
});

test('a rotation of secrets logs no person out: the first secret signs, all secrets verify', async () => {
  const before = await tokensWith([OLD]).sign(WHO);
  const during = tokensWith([NEW, OLD]);
  assert.deepEqual(await during.verify(before), WHO);
  const after = await during.sign(WHO);
  assert.deepEqual(await tokensWith([NEW]).verify(after), WHO);
  assert.equal(await tokensWith([NEW]).verify(before), null);
  assert.equal(await tokensWith([OLD]).verify(after), null);
});

test('a token with another signature, for another audience or without a signature is refused', async () => {
  const tokens = tokensWith([OLD]);
  const key = new TextEncoder().encode(OLD);
  const claims = { mkt: WHO.marketplaceId };
  const make = (audience: string, issuer = 'holdfast', alg = 'HS256') =>
    new SignJWT(claims)
      .setProtectedHeader({ alg })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(WHO.userId)
      .setIssuedAt()
      .setExpirationTime('1h')
      .setJti('1')
      .sign(key);
  assert.deepEqual(await tokens.verify(await make('holdfast:people')), WHO);
  const unsigned = new UnsecuredJWT(claims)
    .setAudience('holdfast:people')
    .setIssuer('holdfast')
    .setSubject(WHO.userId)
    .setExpirationTime('1h')
    .encode();
  const eternal = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuer('holdfast')
    .setAudience('holdfast:people')
    .setSubject(WHO.userId)
    .sign(key);
  const others = [
    await make('holdfast:api'),
    await make('holdfast:people', 'elsewhere'),
    await make('holdfast:people', 'holdfast', 'HS512'),
  ];
  for (const other of [...others, unsigned, eternal, 'a.b.c', ''])
    assert.equal(await tokens.verify(other), null, other);
});
