// A few hundred generated requests to the operations of both OpenAPI documents. Two thousand are in
// thousands.long.test.ts; the longest campaign is `npm run fuzz`, and what it found and did not find is in docs/security.md.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCampaign } from '../../tools/fuzz/campaign.ts';
import { wrongIn } from '../../tools/fuzz/report.ts';

const SEED = 20_261_115;
/** More than one for each operation. */
const REQUESTS = 300;

test('whatever is sent, every answer is as documented, shows no internals, and the books are correct (seeded)', async () => {
  const campaign = await runCampaign({ seed: SEED, requests: REQUESTS });
  assert.deepEqual(wrongIn(campaign), []);
  assert.equal(campaign.requests, REQUESTS);
  assert.ok(campaign.operations >= 90);
  // A campaign of refusals would prove little.
  const reached = campaign.operations - campaign.neverReached.length;
  assert.ok(
    reached * 4 >= campaign.operations,
    `${reached} of ${campaign.operations} operations succeeded at least once`,
  );
});
