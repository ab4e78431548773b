// Files and messages of a dispute in the console: a file is submitted with its hash and downloaded unchanged, and the parties write.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { tradeIn } from '../../contract/order-fixture.ts';
import { openBrowser } from '../support/browser-fixture.ts';
import { openRecord } from '../support/correct.ts';
import { assertGoodInBothViews } from '../support/page-checks.ts';

test('a file is submitted with its hash and downloaded unchanged, and messages name their sender', async (t) => {
  const { app, open } = await openBrowser(t);
  const trade = await tradeIn(app, { available: '500.00' });
  const dispute = await trade.aDispute();
  const page = await open('/disputes');
  await openRecord(page, `/disputes/${dispute.id}`);
  const files = page.getByRole('region', { name: 'Files' });
  await files.getByText('No files yet').waitFor();
  const content = Buffer.from('<script>alert(1)</script> the parcel was open');
  await files.getByLabel('New file').setInputFiles({ name: 'parcel.html', mimeType: 'text/html', buffer: content });
  await files.getByLabel('Submitted by').selectOption('BUYER');
  await files.getByLabel('Description').fill('The parcel as it arrived.');
  await files.getByRole('button', { name: 'Submit file' }).click();
  const row = files.getByRole('row', { name: /parcel\.html/ });
  await row.getByText('Buyer').waitFor();
  const sha256 = createHash('sha256').update(content).digest('hex');
  assert.equal(await row.getByText(sha256.slice(0, 4)).count(), 1);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('button', { name: 'Download parcel.html' }).click(),
  ]);
  assert.deepEqual(await readFile(await download.path()), content);

  const messages = page.getByRole('region', { name: 'Messages' });
  await messages.getByLabel('In the name of').selectOption('SELLER');
  await messages.getByLabel('New message').fill('I sent it on Monday.');
  await messages.getByRole('button', { name: 'Send message' }).click();
  const message = messages.getByRole('listitem').filter({ hasText: 'I sent it on Monday.' });
  await message.getByText('Seller').waitFor();
  await assertGoodInBothViews(page);
});
