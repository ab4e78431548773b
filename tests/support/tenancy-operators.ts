// The operators of one marketplace: invited, joined with an app and with a passkey, signed in, changed and signed out. Part of
// tenancy-life.ts.

import { MASTER_KEY, type TestApp } from './app.ts';
import { anOperator, ask, cookiesOf, invite, signIn, tokenOf } from './operator-fixture.ts';
import { createAuthenticator } from './software-authenticator.ts';

export const useOperators = async (app: TestApp, marketplaceId: string): Promise<void> => {
  const there = { key: MASTER_KEY, headers: { 'x-marketplace-id': marketplaceId } };
  const operator = await anOperator(app, { role: 'support', marketplaceId });
  const again = await signIn(app, operator);
  await again.call(`GET /operators/${operator.id}/sessions`);
  await again.call('GET /operators?status=ACTIVE&role=support');
  await ask(app, 'DELETE /console/session', again);
  const invited = await invite(app, { marketplaceId });
  const token = tokenOf(invited.inviteUrl);
  const authenticator = createAuthenticator(app.url);
  const options = await ask(app, 'POST /console/invite/passkey', { invitation: token });
  const passkey = authenticator.register(options.body.data);
  await ask(app, 'POST /console/invite', { invitation: token, cookie: cookiesOf(options), body: { passkey } });
  const begun = await ask(app, 'POST /console/sign-in/passkey');
  const body = { passkey: authenticator.signIn(begun.body.data) };
  await ask(app, 'POST /console/session/passkey', { cookie: cookiesOf(begun), body });
  await app.call(`PATCH /operators/${operator.id}`, { ...there, body: { role: 'finance' } });
  await app.call(`POST /operators/${invited.id}/invite`, there);
  await app.call(`DELETE /operators/${operator.id}`, there);
};
