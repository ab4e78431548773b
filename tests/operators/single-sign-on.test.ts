// The single sign-on against a real OpenID provider in this process: who gets in, and what a hostile browser or account cannot do.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimIdOf } from '../../server/src/modules/operators/operator.ts';
import { MASTER_KEY, type TestApp } from '../support/app.ts';
import { ask, invite } from '../support/operator-fixture.ts';
import { shareInFile } from '../support/share-in-file.ts';
import { type Account, CALLBACK, openSignOn } from '../support/sign-on-provider.ts';

const shared = shareInFile(openSignOn);

/** A browser with its cookies, which follows redirects one at a time. */
const browser = () => {
  const jars = new Map<string, Map<string, string>>();
  const visit = async (url: string): Promise<{ status: number; location: string | null }> => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: cookie === '' ? {} : { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name, ...value] = line.split(';')[0]!.split('=');
      if (value.join('=') === '') jar.delete(name!);
      else jar.set(name!, value.join('='));
    }
    await response.text();
    const location = response.headers.get('location');
    return { status: response.status, location: location && new URL(location, url).href };
  };
  const cookieAt = (url: string, name: string): string | undefined => jars.get(new URL(url).origin)?.get(name);
  return { visit, cookieAt, jars };
};

type Browser = ReturnType<typeof browser>;

/** From the console to the provider and back, up to the address of the callback, which is not opened. */
const upToCallback = async (
  app: TestApp,
  { visit }: Browser,
  change: (url: URL) => void = () => {},
): Promise<string> => {
  let { location } = await visit(`${app.url}/console/sign-in/oidc`);
  const authorize = new URL(location!);
  change(authorize);
  location = authorize.href;
  for (let steps = 0; steps < 10 && !location!.includes(CALLBACK); steps++)
    location = (await visit(location!)).location;
  assert.ok(location!.includes(CALLBACK), location!);
  return location!;
};

const FAILED = '/console/?failed=single-sign-on';

const pathOf = (url: string | null): string => {
  const { pathname, search } = new URL(url!);
  return pathname + search;
};

const signedInAs = async (app: TestApp, own: Browser): Promise<string | null> => {
  const token = own.cookieAt(app.url, 'holdfast');
  if (token === undefined) return null;
  const answer = await ask(app, 'GET /console/session', { cookie: `holdfast=${token}` });
  return answer.body.data.operator.id;
};

/** Signs in and returns where the browser ends up. */
const attempt = async (app: TestApp, change?: (url: URL) => void) => {
  const own = browser();
  const callback = await upToCallback(app, own, change);
  const { location } = await own.visit(callback);
  return { own, callback, end: pathOf(location), as: await signedInAs(app, own) };
};

test('an invited operator with a verified address gets in, without a password, and is active from then on', async () => {
  const { app, be } = shared();
  const options = await ask(app, 'GET /console/sign-in');
  assert.deepEqual(options.body.data.singleSignOn, { name: 'Shop account', url: '/console/sign-in/oidc' });
  const { id, email } = await invite(app);
  be({ sub: 'person-1', email: email.toUpperCase() });
  const { end, as } = await attempt(app);
  assert.deepEqual([end, as], ['/console/', id]);
  const shown = await app.call(`GET /operators/${id}`);
  assert.deepEqual([shown.body.data.status, shown.body.data.hasSingleSignOn], ['ACTIVE', true]);
  assert.equal((await attempt(app)).as, id);
});

test('another subject with the same address does not get in, and a new invitation forgets the first', async () => {
  const { app, be } = shared();
  const { id, email } = await invite(app);
  be({ sub: 'person-2', email });
  assert.equal((await attempt(app)).as, id);
  be({ sub: 'impostor', email });
  const refused = await attempt(app);
  assert.deepEqual([refused.end, refused.as], [FAILED, null]);
  await app.call(`POST /operators/${id}/invite`, { key: MASTER_KEY });
  assert.equal((await attempt(app)).as, id);
});

/** An invitation of last week. Its rows are new to the server, so nothing of them is in memory. */
const lateInvite = async (app: TestApp): Promise<string> => {
  const { id, email } = await invite(app);
  const late = 'late@shop.example';
  const row = { id: `${id.slice(0, -4)}LATE`, email: late, email_key: late };
  const claim = { id: claimIdOf(late), operator_id: row.id };
  await app.sql(
    `insert into operators select (jsonb_populate_record(o, $2::jsonb || jsonb_build_object('invite_expires_at', now() - interval '1 day'))).*
      from operators o where o.id = $1`,
    [id, JSON.stringify(row)],
  );
  await app.sql(
    'insert into operator_claims select (jsonb_populate_record(c, $2::jsonb)).* from operator_claims c where c.id = $1',
    [claimIdOf(email), JSON.stringify(claim)],
  );
  return late;
};

test('no way in: an unverified address, an unknown one, an old invitation, a disabled and a deleted operator, all with one answer', async () => {
  const { app, be } = shared();
  const unverified = await invite(app);
  const disabled = await invite(app);
  const deleted = await invite(app);
  const late = await lateInvite(app);
  await app.call(`PATCH /operators/${disabled.id}`, { key: MASTER_KEY, body: { disabled: true } });
  await app.call(`DELETE /operators/${deleted.id}`, { key: MASTER_KEY });
  const accounts: Account[] = [
    { sub: 'a', email: unverified.email, isVerified: false },
    { sub: 'b', email: 'unknown@shop.example' },
    { sub: 'c', email: disabled.email },
    { sub: 'd', email: deleted.email },
    { sub: 'e', email: late },
  ];
  for (const account of accounts) {
    be(account);
    const { end, as } = await attempt(app);
    assert.deepEqual([account.sub, end, as], [account.sub, FAILED, null]);
  }
});

test('hostile browsers: a wrong state, a wrong nonce, a missing or foreign cookie, a callback that was used', async () => {
  const { app, be } = shared();
  const { id, email } = await invite(app);
  be({ sub: 'person-3', email });
  const nonce = await attempt(app, (url) => url.searchParams.set('nonce', 'of-the-attacker'));
  assert.deepEqual([nonce.end, nonce.as], [FAILED, null]);
  const verifier = await attempt(app, (url) => url.searchParams.set('code_challenge', 'x'.repeat(43)));
  assert.deepEqual([verifier.end, verifier.as], [FAILED, null]);
  const state = browser();
  const wrong = new URL(await upToCallback(app, state));
  wrong.searchParams.set('state', 'of-the-attacker');
  assert.equal(pathOf((await state.visit(wrong.href)).location), FAILED);
  const victim = browser();
  const ofAttacker = await upToCallback(app, browser());
  // The victim never began: the attacker's callback must not sign the victim in as the attacker.
  assert.equal(pathOf((await victim.visit(ofAttacker)).location), FAILED);
  // The victim began another one.
  await upToCallback(app, victim);
  assert.equal(pathOf((await victim.visit(ofAttacker)).location), FAILED);
  assert.equal(await signedInAs(app, victim), null);
  const twice = browser();
  const callback = await upToCallback(app, twice);
  const cookies = new Map(twice.jars.get(app.url)!);
  assert.equal(pathOf((await twice.visit(callback)).location), '/console/');
  assert.equal(await signedInAs(app, twice), id);
  const again = browser();
  again.jars.set(app.url, cookies);
  assert.equal(pathOf((await again.visit(callback)).location), FAILED);
});

test('the state of a sign-on cannot be read in its cookie, and the cookie is short-lived', async () => {
  const { app } = shared();
  const response = await fetch(`${app.url}/console/sign-in/oidc`, { redirect: 'manual' });
  const [cookie] = response.headers.getSetCookie();
  assert.match(cookie!, /^holdfast-attempt=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
  const target = new URL(response.headers.get('location')!);
  assert.equal(target.searchParams.get('code_challenge_method'), 'S256');
  const content = Buffer.from(cookie!.split(/[=;]/)[1]!, 'base64url').toString('latin1');
  assert.equal(content.includes(target.searchParams.get('state')!), false);
});
