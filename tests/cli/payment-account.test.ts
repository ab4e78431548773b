// `holdfast marketplaces payment-provider` with a real account at the payment provider's simulator. Wrong input: keys.test.ts.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { openOwnAccount } from '../payments/own-account-fixture.ts';
import { MASTER_KEY } from '../support/app.ts';
import { openTool } from './tool.ts';

test('a marketplace gets its own account from a file, new keys from standard input, and loses it', async (t) => {
  const { app, own, rotated, control, sandbox } = await openOwnAccount(t, { isSet: false });
  const tool = await openTool(t, { url: app.url, key: MASTER_KEY });
  const account = ['marketplaces', 'payment-provider'];
  await writeFile(path.join(tool.folder, 'secrets.json'), JSON.stringify(own));
  const set = await tool.run([...account, 'set', app.marketplaceId, '--from', path.join(tool.folder, 'secrets.json')]);
  assert.equal(set.code, 0, set.err);
  assert.match(set.out, /payment account\s+its own/);
  assert.match(set.out, /secrets set\s+apiKey, apiSecret, webhookSecret/);

  const { name } = (sandbox.describe().enterprises as { name: string }[]).at(-1)!;
  const { apiKey: key, apiSecret: secret, webhookSecret } = rotated;
  await control('POST /enterprises', { name, key, secret, webhookSecret, openingBalance: '500.00' });
  const next = await tool.run([...account, 'set', app.marketplaceId], { input: JSON.stringify(rotated) });
  assert.equal(next.code, 0, next.err);
  assert.match(next.out, /^Former credentials crd_\w+ of the account .*, open payments: 0\.$/m);
  const shown = await tool.run([...account, 'show', app.marketplaceId, '--json']);
  assert.deepEqual([shown.json.account, shown.json.former.length], ['own', 1]);
  const listed = await tool.run(['marketplaces', 'list', '--limit', '100']);
  assert.match(listed.out, new RegExp(`^${app.marketplaceId} .* own since \\d{4}-\\d\\d-\\d\\d`, 'm'));
  const removed = await tool.run([...account, 'remove', app.marketplaceId]);
  assert.match(removed.out, /payment account\s+the one that all marketplaces share/);
  for (const one of [...Object.values(own), ...Object.values(rotated)]) {
    assert.ok(![set, next, shown, listed, removed].some(({ out, err }) => (out + err).includes(one)));
  }
});
