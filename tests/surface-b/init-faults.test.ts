// A project's escrow when a provider refuses or does not answer: it is canceled and the money is returned, or it is finished. It is
// never stuck. init-faults.long.test.ts has the other steps, and servers that stop between two steps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertProof } from '../support/checks.ts';
import { contractsAfterDoubt, openProject } from './init-fault-checks.ts';
import { openSharedPeople, type PeopleFixture, refused } from './people-fixture.ts';

const projectStatus = async ({ done }: PeopleFixture, token: string): Promise<string> =>
  (await done('GET /projects', { token })).projects[0].status;

const NOT_FUNDED = /^The escrow could not be funded. Nothing left the balance$/;

for (const { when, operation, fault, count, status, message } of [
  {
    when: 'the provider refuses to deploy',
    operation: 'deploy',
    fault: 'refusal',
    count: 1,
    status: 500,
    message: /The provider refused/,
  },
  {
    when: 'the provider refuses to fund',
    operation: 'fund',
    fault: 'refusal',
    count: 1,
    status: 400,
    message: NOT_FUNDED,
  },
  {
    when: 'the contract takes a part and pays it back',
    operation: 'fund',
    fault: 'short',
    count: 3,
    status: 400,
    message: NOT_FUNDED,
  },
] as const) {
  test(`${status} when ${when}: the order is canceled, the money is back, and the next try works`, async (t) => {
    const fixture = await openSharedPeople(t, { sandbox: true });
    const { buyer, init, orders } = await openProject(fixture);
    await fixture.fault(operation, fault, { count });
    const found = refused(await init());
    assert.equal(found.status, status);
    assert.match(found.message, message);
    assert.deepEqual(await fixture.balance(buyer), [1000, 0]);
    assert.equal(await projectStatus(fixture, buyer.token), 'open');
    const [order] = await orders();
    assert.deepEqual([order.status, order.finalStatus], ['CLOSED', 'CANCELED']);
    const answer = await init({ amount: 70 });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(await fixture.balance(buyer), [930, 70]);
    await assertProof(fixture.app);
  });
}

// The other operation is in init-faults.long.test.ts, and so are the servers that stop.
test('504 when the outcome of deploy is unknown; the same request again gets the one escrow, and a third gets 400', async (t) => {
  assert.equal(await contractsAfterDoubt(t, 'deploy'), 1);
});
