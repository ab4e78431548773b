// Passkeys, with an authenticator in software: registered with an invitation and later, used for the sign-in, and what is refused.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Answer, codeOf as codeAndStatus, startApp, type TestApp } from '../support/app.ts';
import { anOperator, ask, cookiesOf, invite, type Joined, tokenOf } from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { createAuthenticator } from '../support/software-authenticator.ts';

const shared = shareInFile(startApp);
let app: TestApp;
before(() => {
  app = shared();
});

type Authenticator = ReturnType<typeof createAuthenticator>;
type Odd = Parameters<Authenticator['signIn']>[1];

/** A new operator with a passkey and no password. */
const joinWithPasskey = async (authenticator: Authenticator, odd: Odd = {}): Promise<Answer> => {
  const token = tokenOf((await invite(app)).inviteUrl);
  const options = await ask(app, 'POST /console/invite/passkey', { invitation: token });
  assert.equal(options.status, 200, options.text);
  const body = { passkey: authenticator.register(options.body.data, odd), passkeyName: 'Laptop' };
  return ask(app, 'POST /console/invite', { invitation: token, cookie: cookiesOf(options), body });
};

const signInWith = async (authenticator: Authenticator, odd: Odd = {}): Promise<Answer> => {
  const begun = await ask(app, 'POST /console/sign-in/passkey');
  const body = { passkey: authenticator.signIn(begun.body.data, odd) };
  return ask(app, 'POST /console/session/passkey', { cookie: cookiesOf(begun), body });
};

test('an operator joins with a passkey alone and signs in with it, without address and password', async () => {
  const authenticator = createAuthenticator(app.url);
  const joined = await joinWithPasskey(authenticator);
  assert.equal(joined.status, 200, joined.text);
  const { operator } = joined.body.data.session;
  assert.deepEqual([operator.passkeys, operator.hasPassword, joined.body.data.recoveryCodes], [1, false, []]);
  const answer = await signInWith(authenticator);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual([answer.body.data.operator.id, answer.body.data.method], [operator.id, 'passkey']);
});

test('401 for another origin, a user who was not verified, another challenge, a copied or an unknown passkey', async () => {
  const authenticator = createAuthenticator(app.url);
  assert.equal((await joinWithPasskey(authenticator)).status, 200);
  assert.equal((await signInWith(authenticator, { counter: 5 })).status, 200);
  const wrong: Record<string, Odd> = {
    'another origin': { origin: 'https://evil.example' },
    'not verified': { isVerified: false, counter: 6 },
    'another challenge': { challenge: Buffer.from('of my own choice').toString('base64url'), counter: 7 },
    'a counter that stands still': { counter: 5 },
    'a counter that went back': { counter: 2 },
  };
  for (const [what, odd] of Object.entries(wrong)) {
    assert.equal(codeAndStatus(await signInWith(authenticator, odd)), '401 SIGN_IN_FAILED', what);
  }
  const unknown = createAuthenticator(app.url);
  assert.equal(codeAndStatus(await signInWith(unknown)), '401 SIGN_IN_FAILED');
  assert.equal((await signInWith(authenticator, { counter: 9 })).status, 200);
});

test('a challenge is used once, belongs to its browser, and is not one of a registration', async () => {
  const authenticator = createAuthenticator(app.url);
  assert.equal((await joinWithPasskey(authenticator)).status, 200);
  const begun = await ask(app, 'POST /console/sign-in/passkey');
  const cookie = cookiesOf(begun);
  const request = 'POST /console/session/passkey';
  const answer = (counter: number) => ({ passkey: authenticator.signIn(begun.body.data, { counter }) });
  assert.equal(codeAndStatus(await ask(app, request, { body: answer(1) })), '401 SIGN_IN_FAILED', 'no cookie');
  const other = cookiesOf(await ask(app, 'POST /console/sign-in/passkey'));
  assert.equal(codeAndStatus(await ask(app, request, { cookie: other, body: answer(2) })), '401 SIGN_IN_FAILED');
  const together = await Promise.all([3, 4].map((counter) => ask(app, request, { cookie, body: answer(counter) })));
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 401]);
  assert.equal(codeAndStatus(await ask(app, request, { cookie, body: answer(5) })), '401 SIGN_IN_FAILED', 'used');
  const token = tokenOf((await invite(app)).inviteUrl);
  const registration = await ask(app, 'POST /console/invite/passkey', { invitation: token });
  const mixed = { passkey: authenticator.signIn({ ...registration.body.data, rpId: '127.0.0.1' }, { counter: 6 }) };
  assert.equal((await ask(app, request, { cookie: cookiesOf(registration), body: mixed })).status, 401);
});

test('400 for a registration from another origin, without verification, or with a challenge of another invitation', async () => {
  for (const odd of [{ origin: 'https://evil.example' }, { isVerified: false }, { challenge: 'b3RoZXI' }]) {
    const answer = await joinWithPasskey(createAuthenticator(app.url), odd);
    assert.equal(codeAndStatus(answer), '400 VALIDATION_ERROR', JSON.stringify(odd));
  }
  const first = tokenOf((await invite(app)).inviteUrl);
  const second = tokenOf((await invite(app)).inviteUrl);
  const options = await ask(app, 'POST /console/invite/passkey', { invitation: first });
  const body = { passkey: createAuthenticator(app.url).register(options.body.data) };
  const answer = await ask(app, 'POST /console/invite', { invitation: second, cookie: cookiesOf(options), body });
  assert.equal(codeAndStatus(answer), '400 VALIDATION_ERROR');
});

const addPasskey = async ({ cookie, csrf }: Joined, authenticator: Authenticator): Promise<Answer> => {
  const options = await ask(app, 'POST /console/passkeys/options', { cookie, csrf });
  const body = { passkey: authenticator.register(options.body.data), name: 'Security key' };
  return ask(app, 'POST /console/passkeys', { cookie: `${cookie}; ${cookiesOf(options)}`, csrf, body });
};

test('an operator registers several passkeys, signs in with each, and removes one', async () => {
  const operator = await anOperator(app);
  const passkeys = [createAuthenticator(app.url), createAuthenticator(app.url)];
  for (const one of passkeys) assert.equal((await addPasskey(operator, one)).status, 200);
  for (const one of passkeys) assert.equal((await signInWith(one)).body.data.operator.id, operator.id);
  const { cookie, csrf } = operator;
  const listed = await ask(app, 'GET /console/passkeys', { cookie });
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    passkeys.map(({ id }) => id),
  );
  assert.equal(codeAndStatus(await ask(app, `DELETE /console/passkeys/${passkeys[0]!.id}`, { cookie })), '403 CSRF');
  const removed = await ask(app, `DELETE /console/passkeys/${passkeys[0]!.id}`, { cookie, csrf });
  assert.equal(removed.status, 200, removed.text);
  assert.equal(codeAndStatus(await signInWith(passkeys[0]!)), '401 SIGN_IN_FAILED');
  assert.equal((await signInWith(passkeys[1]!)).status, 200);
  // The same passkey cannot belong to two operators.
  const other = await anOperator(app);
  assert.equal(codeAndStatus(await addPasskey(other, passkeys[1]!)), '400 VALIDATION_ERROR');
});

test('400 for the removal of the only way to sign in', async () => {
  const authenticator = createAuthenticator(app.url);
  const joined = await joinWithPasskey(authenticator);
  const cookie = cookiesOf(joined);
  const csrf = joined.body.data.session.csrfToken;
  const answer = await ask(app, `DELETE /console/passkeys/${authenticator.id}`, { cookie, csrf });
  assert.equal(codeAndStatus(answer), '400 VALIDATION_ERROR');
});
