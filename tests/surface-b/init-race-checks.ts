// Concurrent requests for escrows and their effects, for init-races.test.ts and init-races.long.test.ts.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Answer } from '../support/app.ts';
import { PEOPLE_MARKETPLACE } from '../support/shared-app.ts';
import { openPeople, openSharedPeople, type PeopleFixture, type Person, refused } from './people-fixture.ts';

export const EXISTS = { status: 400, message: 'The project already has an escrow' };
export const TOO_LITTLE = { status: 400, message: 'Insufficient balance to fund escrow' };

export const onlyOne = (answers: readonly Answer[], other: { status: number; message: string }): Answer => {
  const good = answers.filter(({ status }) => status === 200);
  assert.equal(good.length, 1, answers.map(({ text }) => text).join('\n'));
  for (const answer of answers.filter(({ status }) => status !== 200)) assert.deepEqual(refused(answer), other);
  return good[0]!;
};

const contractsAt = async ({ simulator }: PeopleFixture): Promise<number> =>
  (await simulator('GET /state')).contracts.length;

/** A server where nothing is under way, and what a buyer's requests leave in it. */
export const openRace = async (t: TestContext) => {
  const fixture = await openSharedPeople(t, { sandbox: true });
  await fixture.atRest();
  const before = await contractsAt(fixture);

  /** Live orders of the buyer, contracts of everybody, and the books. */
  const counts = async ({ id }: Person) => {
    const [row] = await fixture.app.sql(
      `select count(*) filter (where status <> 'CLOSED')::int as live, count(*)::int as orders,
         count(*) filter (where operation_id is not null)::int as running from orders where buyer_id = $1`,
      [id],
    );
    const proof = (await fixture.app.call('GET /audit/proof')).body.data;
    assert.equal(proof.holds, true, JSON.stringify(proof));
    return { ...row, contracts: (await contractsAt(fixture)) - before };
  };
  return { fixture, counts };
};

/** A second server on the database and the simulators of the first. */
export const openBeside = async (t: TestContext, { app, simulator }: PeopleFixture): Promise<PeopleFixture> => {
  const { escrowFactories } = await simulator('GET /state');
  const env = {
    ESCROW_PROVIDER_URL: `${app.sandboxUrl}/escrow-provider`,
    LEDGER_URL: `${app.sandboxUrl}/ledger`,
    ESCROW_FACTORY_SINGLE: escrowFactories['single-release'],
    ESCROW_FACTORY_MULTI: escrowFactories['multi-release'],
    ESCROW_PROVIDER_RATE_PER_MINUTE: '0',
    LEDGER_RATE_PER_MINUTE: '0',
    SURFACE_B_MARKETPLACE: PEOPLE_MARKETPLACE,
  };
  return openPeople(t, { env, connection: app.connection });
};
