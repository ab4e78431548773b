// The pages of webhooks: an endpoint is created, tested, changed, rotated and deleted, its deliveries arrive at a real receiver,
// and the log shows each attempt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareInFile } from '../../support/share-in-file.ts';
import { ALLOWED } from '../../webhooks/fixture.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

const shared = shareInFile(async (t) => {
  const { app, open } = await openOwnBrowser(t, ALLOWED);
  const receiver = await startReceiver(t);
  return { app, receiver, page: await open('/webhooks') };
});

/** An endpoint, made through the API, with its page open. */
const openEndpoint = async (events: readonly string[]): Promise<{ id: string }> => {
  const { app, receiver, page } = shared();
  const body = { url: receiver.url, events, description: `Receiver of ${events.join()}` };
  const { status, text, body: answer } = await app.call('POST /webhook-endpoints', { body });
  assert.equal(status, 201, text);
  await goTo(page, `/webhooks/${answer.data.id}`);
  await page.getByRole('heading', { name: body.description }).waitFor();
  return { id: answer.data.id };
};

test('an endpoint is created with chosen events, and its secret is not lost by Escape', async () => {
  const { app, receiver, page } = shared();
  await page.getByText('No endpoints yet').waitFor();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog');
  const create = dialog.getByRole('button', { name: 'Create endpoint' });
  assert.match((await create.getAttribute('title')) ?? '', /Enter an address/);
  await dialog.getByLabel('Address').fill('ftp://shop.example');
  await create.click();
  await dialog.getByText(/^url /).waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByLabel('Description').fill('Order service');
  await dialog.getByRole('checkbox', { name: /All events/ }).uncheck();
  await dialog.getByText('Choose at least one.').waitFor();
  await dialog.getByRole('checkbox', { name: 'user.*' }).check();
  await dialog.getByText(/5 of 5 types of user/).click();
  await dialog.getByRole('checkbox', { name: 'user.ledger_linked' }).uncheck();
  await dialog.getByRole('checkbox', { name: 'dispute.*' }).check();
  await assertGoodInBothViews(page);
  await create.click();
  await page.getByText('This secret is shown only once.').waitFor();
  const secret = (await dialog.locator('code.secret').textContent()) ?? '';
  assert.match(secret, /^whsec_/);

  await page.keyboard.press('Escape');
  await dialog.getByText('Close without saving the secret?').waitFor();
  assert.equal(await dialog.locator('code.secret').textContent(), secret);
  await assertGoodInBothViews(page);
  await dialog.getByRole('button', { name: 'Keep open' }).click();
  await dialog.getByText('Close without saving the secret?').waitFor({ state: 'detached' });
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), secret);
  await dialog.getByRole('button', { name: 'I have saved the secret' }).click();
  assert.equal((await page.content()).includes(secret), false);

  const row = page.getByRole('row', { name: /Order service/ });
  await row.getByText('Active').waitFor();
  const [made] = (await app.call('GET /webhook-endpoints')).body.data.data;
  assert.deepEqual(made.events.sort(), [
    'dispute.*',
    'user.created',
    'user.payment_account_changed',
    'user.payment_account_linked',
    'user.updated',
  ]);
  assert.equal((await app.call(`DELETE /webhook-endpoints/${made.id}`)).status, 200);
});

test('a test event shows the answer of the receiver, good or bad', async () => {
  const { receiver, page } = shared();
  await openEndpoint(['dispute.*']);
  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog');
  receiver.answer({ status: 500, body: 'out of paper' });
  await dialog.getByRole('button', { name: 'Send test event' }).click();
  await dialog.getByText('Not delivered').waitFor();
  await dialog.getByText('HTTP 500').waitFor();
  await dialog.getByText('out of paper').waitFor();
  await assertGoodInBothViews(page);
  receiver.answer({ status: 200, body: 'thanks' });
  await dialog.getByRole('button', { name: 'Send again' }).click();
  await dialog.getByText('Delivered', { exact: true }).waitFor();
  await dialog.getByText('HTTP 200').waitFor();
  await dialog.getByRole('link', { name: 'Show in the log' }).click();
  await page.getByRole('heading', { name: 'Webhook deliveries' }).waitFor();
  await page.getByRole('complementary').getByText('Delivered').first().waitFor();
});

test('the log of an endpoint shows a new delivery without a reload, and retries it', async () => {
  const { app, receiver, page } = shared();
  const { id } = await openEndpoint(['user.created']);
  await page.getByText('No deliveries yet').first().waitFor();
  receiver.answer({ status: 503, body: 'closed for lunch' });
  const userId = (await app.call('POST /users', { body: { externalUserId: 'anna' } })).body.data.id;
  const log = page.getByRole('table', { name: 'Deliveries' });
  const row = log.getByRole('row', { name: /user\.created/ });
  await row.getByText('Pending').waitFor();
  await row.getByText('503').waitFor();
  await row.getByRole('link', { name: 'user.created' }).press('Enter');
  const details = page.getByRole('complementary');
  await details.getByText('closed for lunch').waitFor();
  await details.getByRole('link', { name: new RegExp(`^usr_.*${userId.slice(-6)}`) }).waitFor();
  await page.getByRole('img', { name: /Last 1 delivery: 0 delivered, 1 pending/ }).waitFor();
  await assertGoodInBothViews(page);

  receiver.answer({ status: 204 });
  await details.getByRole('button', { name: 'Retry now' }).click();
  await details.getByText('HTTP 204').waitFor();
  assert.ok((await details.getByRole('listitem').count()) >= 2, 'each attempt is listed');
  await row.getByText('Delivered').waitFor();
  await page.getByRole('img', { name: /1 delivered, 0 pending/ }).waitFor();
  await details.getByRole('heading', { name: 'user.created' }).press('Escape');
  await details.waitFor({ state: 'detached' });
  assert.match(await page.evaluate('document.activeElement.textContent'), /user\.created/);

  await page.getByRole('textbox', { name: 'Event ID' }).or(page.getByLabel('Event ID')).fill('evt_none');
  await page.getByText('No matching deliveries').waitFor();
  assert.match(page.url(), new RegExp(`/webhooks/${id}\\?eventId=evt_none`));
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await row.waitFor();
});

test('events are replayed, and failed deliveries are retried since a time', async () => {
  const { app, receiver, page } = shared();
  receiver.answer({ status: 200 });
  await openEndpoint(['user.created']);
  assert.equal((await app.call('POST /users', { body: { externalUserId: 'bert' } })).status, 201);
  const log = page.getByRole('table', { name: 'Deliveries' });
  await log.getByText('Delivered', { exact: true }).last().waitFor();
  const before = receiver.received.length;
  await page.getByRole('button', { name: 'Replay events' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Since').selectOption('After an event');
  assert.match((await dialog.getByRole('button', { name: 'Replay' }).getAttribute('title')) ?? '', /ID of an event/);
  await dialog.getByLabel('Event ID').fill('nonsense');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await dialog.getByText('VALIDATION_ERROR').waitFor();
  await assertGoodInBothViews(page);
  await dialog.getByLabel('Since').selectOption('Last hour');
  await dialog.getByRole('button', { name: 'Replay' }).click();
  await page.getByText(/^Events to send again: [1-9]/).waitFor();
  await receiver.count(before + 1);

  await page.getByRole('button', { name: 'Retry failed' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retry' }).click();
  await page.getByText('Deliveries to try again: 0').waitFor();
});

test('an endpoint is changed, disabled, enabled, rotated and deleted, and the audit page links it', async () => {
  const { app, page } = shared();
  const { id } = await openEndpoint(['order.*']);
  await page.getByRole('button', { name: 'Change' }).click();
  await page.getByLabel('Description').fill('Renamed');
  await page.getByLabel('Payload').selectOption('thin');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  await page.getByText('Thin: IDs only').waitFor();

  await page.getByRole('button', { name: 'Disable' }).click();
  await page.getByText('It was disabled on request.').waitFor();
  const reason = await page.getByRole('button', { name: 'Send test' }).getAttribute('title');
  assert.match(reason ?? '', /Enable it first/);
  await assertGoodInBothViews(page);
  await page.getByRole('button', { name: 'Enable', exact: true }).click();
  await page.locator('header').getByText('Active').waitFor();

  await page.getByRole('button', { name: 'Rotate secret' }).click();
  await page.getByRole('button', { name: 'Create new secret' }).click();
  await page.getByText(/signed with the previous one too until/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close without saving' }).click();
  await page.locator('code.secret').waitFor({ state: 'detached' });
  await page.getByText('Previous secret until').waitFor();

  await page.getByRole('link', { name: 'Audit entries' }).click();
  const entry = page.getByRole('row', { name: /Webhook secret rotated/ });
  await entry.getByRole('link', { name: /^whe_/ }).click();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();

  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await page.getByText('Endpoint deleted').waitFor();
  await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
  assert.equal((await app.call(`GET /webhook-endpoints/${id}`)).status, 404);
});

test('an event shows its deliveries, and a delivery its event', async () => {
  const { app, receiver, page } = shared();
  receiver.answer({ status: 200 });
  await openEndpoint(['user.*']);
  await goTo(page, '/events');
  await page.getByText('Streaming').waitFor();
  assert.equal((await app.call('POST /users', { body: { externalUserId: 'carla' } })).status, 201);
  await page.getByRole('button', { name: /user\.created.*carla/ }).click();
  const details = page.getByRole('complementary');
  await details.getByText('Delivered').first().waitFor();
  await assertGoodInBothViews(page);
  await details.getByRole('link', { name: '1 attempt' }).first().click();
  await page.getByRole('heading', { name: 'Webhook deliveries' }).waitFor();
  assert.match(page.url(), /eventId=evt_.*delivery=whd_/);
  await details.getByRole('link', { name: 'View event' }).click();
  await page.getByRole('heading', { name: 'Events', exact: true }).waitFor();
  await details.getByRole('heading', { name: 'user.created' }).waitFor();
});
