// The reconciliation page: open breaks with their amounts, owner and advice, and resolved breaks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../tools/until.ts';
import { tradeIn } from '../../contract/order-fixture.ts';
import { shareInFile } from '../../support/share-in-file.ts';
import { goTo, openOwnBrowser } from '../support/browser-fixture.ts';
import { reconcile } from '../support/reconcile.ts';

const shared = shareInFile(async (t) => {
  const fixture = await openOwnBrowser(t);
  return { ...fixture, page: await fixture.open('/breaks') };
});

test('a break of a wallet links to its user, and is resolved when the ledger matches again', async () => {
  const { app, page } = shared();
  await page.getByText('The books match the external systems').waitFor();
  const { id } = (await app.call('POST /users', { body: { externalUserId: 'emil-keeps' } })).body.data;
  const { address } = (await app.call(`GET /users/${id}/wallet/deposit`)).body.data;
  await until(
    async () => (await app.call(`GET /users/${id}/wallet`)).body.data?.isActive === true,
    'the wallet is active on the ledger',
  );
  // The simulated ledger reports a wrong balance for this address.
  const lie = { operation: 'account', fault: 'wrong-amount', count: 1_000, match: address };
  assert.equal((await app.call('POST /sandbox/faults', { body: lie })).status, 201);
  await reconcile(app);
  await page.getByRole('button', { name: 'Refresh' }).click();
  const row = page.getByRole('row', { name: /wallet balance ?emil-keeps/ }).first();
  await row.getByText('View its payments').click();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The books differ from the ledger').waitFor();
  await page.getByRole('button', { name: 'Sync…' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByText(/The ledger balance is (higher|lower) than the books/).waitFor();
  await sure.getByText('Unexplained difference').waitFor();
  await sure.getByText(/^No preview: it reads an outside system/).waitFor();
  await sure.getByRole('button', { name: /^Book [+−]\d+\.\d{7} USD/ }).waitFor();
  await sure.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.goBack();
  await app.call('DELETE /sandbox/faults');
  await reconcile(app);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('The books match the external systems').waitFor();
  await page.getByLabel('Status').selectOption('resolved');
  await row.getByText('None: the difference is resolved.').waitFor();
  await row.getByRole('link', { name: 'emil-keeps' }).click();
  await page.getByRole('heading', { level: 1, name: 'emil-keeps' }).waitFor();
});

test('a break of an escrow contract shows its amounts, its order and advice', async () => {
  const { app, page } = shared();
  const trade = await tradeIn(app, { available: '300.00' });
  const order = await trade.anOrder({ at: 'IN_PROGRESS', amount: '120.00', title: 'Logo design' });
  const address = order.escrow.providerContractId;
  await app.sql(
    `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
     values ($1, 'contract', $2, 120, 112.5, -7.5, now(), now())`,
    [app.marketplaceId, address],
  );
  await goTo(page, '/breaks');
  const row = page.getByRole('row', { name: /Escrow contract balance/ });
  await row.getByText('−7.5000000').waitFor();
  const text = (await row.textContent()) ?? '';
  for (const part of ['120.0000000', '112.5000000', 'Open', 'The contract holds less than the order amount']) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
  await row.getByRole('link', { name: 'Logo design' }).waitFor();
  await page.getByLabel('Kind').selectOption('wallet-usdc');
  await page.getByText('No matching breaks').waitFor();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await page.getByRole('link', { name: 'View order' }).click();
  await page.getByRole('heading', { level: 1, name: 'Logo design' }).waitFor();
});

test('an overdrawn credit line and a webhook without confirmation have advice of their own', async () => {
  const { app, page } = shared();
  const event = 'escrow-provider:evt-7';
  // Only the row of the event keeps its alert open.
  await app.sql(
    `insert into webhook_events (marketplace_id, id, version, provider, type, state, signed, attempts, created_at, updated_at)
     values ($1, $2, 1, 'escrow-provider', 'escrow.released', 'SET_ASIDE', true, 2, now(), now())`,
    [app.marketplaceId, event],
  );
  const amounts = { 'payment-float': ['-25', '-40', '-15', 'credit-line'], 'escrow-event': ['0', '100', '100', event] };
  for (const [kind, [expected, actual, difference, subject]] of Object.entries(amounts)) {
    await app.sql(
      `insert into breaks (marketplace_id, kind, subject, expected, actual, difference, first_seen_at, last_seen_at)
       values ($1, $2, $3, $4, $5, $6, now(), now())`,
      [app.marketplaceId, kind, subject, expected, actual, difference],
    );
  }
  await goTo(page, '/breaks');
  const line = page.getByRole('row', { name: /Payment provider balance/ });
  await line.getByText('more than this marketplace’s float and its credit line').waitFor();
  assert.equal(await line.getByText('The provider holds less than the books').count(), 0);
  const alert = page.getByRole('row', { name: /Escrow webhook without confirmation/ });
  await alert.getByText('so the books add up').waitFor();
  await alert.getByRole('link', { name: 'Its audit entries' }).click();
  await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('resourceId'), event);
});
