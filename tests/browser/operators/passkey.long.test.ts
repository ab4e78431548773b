// Passkeys with the browser's own virtual device: join with one, sign in with it, and manage it. Passkeys need a host name, so the pages are
// at localhost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { invite } from '../../support/operator-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { showOperatorForm } from '../support/operator-pages.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

/** A device that verifies its user at once. */
const addDevice = async (wire: CDPSession): Promise<string> => {
  const options = {
    protocol: 'ctap2' as const,
    transport: 'internal' as const,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await wire.send('WebAuthn.addVirtualAuthenticator', { options });
  return authenticatorId;
};

const shared = shareInFile(async (t) => {
  const fixture = await openBrowser(t);
  const { app } = fixture;
  const page = await fixture.open('/', { key: null, isCold: true });
  const wire = await page.context().newCDPSession(page);
  await wire.send('WebAuthn.enable');
  const device = await addDevice(wire);
  const here = app.url.replace('127.0.0.1', 'localhost');
  const invited = await invite(app, { role: 'support', name: 'Radia Perlman', marketplaceId: app.marketplaceId });
  return { ...fixture, page, wire, device, here, invited };
});

const isHome = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByText('Radia Perlman').waitFor();
};

test('at an IP address the page says why a passkey is not possible, and where it is', async () => {
  const { page, invited } = shared();
  await page.goto(invited.inviteUrl);
  await page
    .getByText(/Passkeys need a host name and not an IP address\. Open http:\/\/localhost:\d+\/console/)
    .waitFor();
});

test('an invitation is accepted with a passkey alone', async () => {
  const { page, here, invited } = shared();
  await page.goto(`${here}/console/join${new URL(invited.inviteUrl).hash}`);
  await page.getByLabel('Passkey', { exact: false }).first().check();
  await page.getByLabel('Name of the passkey').fill('Work laptop');
  await assertGoodInBothViews(page);
  await page.getByRole('button', { name: 'Create the passkey and join' }).click();
  await isHome(page);
});

test('the passkey signs in again, without a password', async () => {
  const { page } = shared();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await showOperatorForm(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await isHome(page);
});

test('the account lists the passkey, keeps the only way in, and takes a second one', async () => {
  const { page, wire, device } = shared();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Radia Perlman' }).click();
  await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
  await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
  await page
    .getByText(/this passkey is the only way to sign in; register another one first/)
    .first()
    .waitFor();
  // Another device: the first one refuses a second passkey for the same person.
  await wire.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: device });
  await addDevice(wire);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Phone');
  await page.getByRole('dialog').getByRole('button', { name: 'Add passkey' }).click();
  await page.getByRole('cell', { name: 'Phone', exact: true }).waitFor();
  await assertGoodInBothViews(page);
  await page.getByRole('button', { name: 'Remove the passkey Work laptop' }).click();
  await page.getByRole('cell', { name: 'Work laptop', exact: true }).waitFor({ state: 'detached' });
});

test('a device without a passkey for this server does not sign in', async () => {
  const { page, wire } = shared();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await showOperatorForm(page);
  await wire.send('WebAuthn.disable');
  await wire.send('WebAuthn.enable');
  await addDevice(wire);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByText('The browser or the device did not finish. Try again.').waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Sign in' }).count(), 1);
});
