// Some thousand generated requests to every operation of both OpenAPI documents.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from '../../tools/fuzz/campaign.ts';
import { wrongIn } from '../../tools/fuzz/report.ts';

const SEED = 20_261_115;
/** About twenty for each operation. */
const REQUESTS = 3_600;
/** Half a minute alone; more when other tests run at the same time. */
const BUSY = { timeout: 400_000 };

test('whatever is sent by the thousand, every answer is as documented and the books hold (seeded)', BUSY, async () => {
  const campaign = await runCampaign({ seed: SEED, requests: REQUESTS });
  assert.deepEqual(wrongIn(campaign), []);
  assert.equal(campaign.requests, REQUESTS);
  // A campaign of refusals would prove little.
  assert.ok(campaign.operations >= 90);
  assert.ok(campaign.neverReached.length <= campaign.operations / 4, campaign.neverReached.join(', '));
});
