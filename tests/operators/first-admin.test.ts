// The first administrator: a link in the welcome of a server without operators, which works once, for a day, and never again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstAdminInvite, parseInvite } from '../../server/src/modules/operators/invite-text.ts';
import { codeOf as codeAndStatus, startApp, type TestApp } from '../support/app.ts';
import { ask, codeAt, cookiesOf, invite, PASSWORD, stepNow, tokenOf } from '../support/operator-fixture.ts';

const join = async (app: TestApp, url: string, email: string) => {
  const token = tokenOf(url);
  const begun = await ask(app, 'POST /console/invite/totp', { invitation: token });
  if (begun.status !== 200) return begun;
  const code = codeAt(begun.body.data.secret, stepNow());
  const body = { email, name: 'Ada Lovelace', password: PASSWORD, code };
  return ask(app, 'POST /console/invite', { invitation: token, cookie: cookiesOf(begun), body });
};

test('the link makes one administrator of all marketplaces, also when two people open it at once, and is gone', async (t) => {
  const app = await startApp(t);
  const url = await app.firstAdminUrl();
  assert.match(url!, /^http:\/\/127\.0\.0\.1:\d+\/console\/join#hff_/);
  const facts = await ask(app, 'GET /console/invite', { invitation: tokenOf(url!) });
  assert.deepEqual([facts.body.data.kind, facts.body.data.role, facts.body.data.email], ['first-admin', 'admin', null]);
  const other = await app.firstAdminUrl();
  const answers = await Promise.all([join(app, url!, 'ada@shop.example'), join(app, other!, 'eve@shop.example')]);
  assert.deepEqual(answers.map(codeAndStatus).sort(), ['200 undefined', '404 INVITE_NOT_FOUND']);
  const { operator } = answers.find(({ status }) => status === 200)!.body.data.session;
  assert.deepEqual([operator.role, operator.everywhere, operator.marketplaceId], ['admin', true, 'mkt_default']);
  assert.equal(await app.firstAdminUrl(), null);
  assert.equal(codeAndStatus(await join(app, url!, 'late@shop.example')), '404 INVITE_NOT_FOUND');
});

test('an operator that the master key invited ends the links too, and a forged or old one is none', async (t) => {
  const app = await startApp(t);
  const url = (await app.firstAdminUrl())!;
  const forged = firstAdminInvite(['another-secret-of-32-characters-or-more'], Date.now());
  assert.equal(codeAndStatus(await ask(app, 'GET /console/invite', { invitation: forged })), '404 INVITE_NOT_FOUND');
  assert.equal((await ask(app, 'GET /console/invite', { invitation: tokenOf(url) })).status, 200);
  await invite(app);
  assert.equal(await app.firstAdminUrl(), null);
  assert.equal(
    codeAndStatus(await ask(app, 'GET /console/invite', { invitation: tokenOf(url) })),
    '404 INVITE_NOT_FOUND',
  );
});

test('the link is valid for a day on the clock of the server', () => {
  const secrets = ['a-secret-of-the-tests-0123456789abcdef'];
  const made = Date.UTC(2026, 10, 17);
  const text = firstAdminInvite(secrets, made);
  const day = 86_400_000;
  assert.equal(parseInvite(text, { secrets, nowMs: made + day - 1 })?.kind, 'first-admin');
  assert.equal(parseInvite(text, { secrets: ['new-one', ...secrets], nowMs: made })?.kind, 'first-admin');
  assert.equal(parseInvite(text, { secrets, nowMs: made + day }), null);
});
