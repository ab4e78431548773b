// A crash at each step of a funding and of a release, and a race for the same funding in many rounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crashFunding, crashRelease, fundTogether, STEPS } from './call-crash.ts';
import { shareEscrowFixtures } from './escrow-fixture.ts';

const fixture = shareEscrowFixtures();

for (const step of STEPS) {
  test(`a funding with a crash at "${step}" is made once, also when the operation is resumed`, async (t) => {
    assert.deepEqual(await crashFunding(t, await fixture(), step), ['deploy', 'fund']);
  });

  test(`a crash at "${step}" of a release pays the seller once`, async (t) => {
    assert.equal(await crashRelease(t, await fixture(), step), 1);
  });
}

for (const round of [1, 2, 3]) {
  test(`two processes that run the same funding at once fund once: race ${round}`, async (t) => {
    assert.equal(await fundTogether(t, await fixture()), 2, 'a deployment and one funding');
  });
}
