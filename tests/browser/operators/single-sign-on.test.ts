// The single sign-on in a real browser: away to the provider, back to the page that was open, and a sentence when it fails.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invite } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openSignOn } from '../../support/sign-on-provider.ts';
import { fixtureFor } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, be } = await openSignOn(t);
  const invited = await invite(app, { role: 'viewer', name: 'Ada Lovelace' });
  const { open } = fixtureFor(t, app);
  return { app, be, invited, page: await open('/disputes', { key: null, isCold: true }) };
});

test('an account without an invitation comes back to the sign-in with a sentence, and the URL is clean', async () => {
  const { page, be } = shared();
  be({ sub: 'stranger', email: 'stranger@shop.example' });
  await page.getByRole('link', { name: 'Continue with Shop account' }).click();
  await page.getByText('The single sign-on did not work').waitFor();
  assert.equal(new URL(page.url()).search, '');
  await assertGoodInBothViews(page);
});

test('an invited person signs in there and comes back to the page that was open', async () => {
  const { app, page, be, invited } = shared();
  be({ sub: 'ada', email: invited.email });
  await page.context().clearCookies();
  await page.goto(`${app.url}/console/disputes`);
  await page.getByRole('link', { name: 'Continue with Shop account' }).click();
  await page.getByRole('heading', { level: 1, name: 'Disputes' }).waitFor();
  assert.match(page.url(), /\/console\/disputes$/);
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Ada Lovelace').waitFor();
});
