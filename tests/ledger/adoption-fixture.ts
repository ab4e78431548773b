// A copy of the database that stays behind while the first process goes on, and a process on the copy that adopts what it lacks.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { callKey, type DoneCall } from '../../server/src/modules/escrows/escrow.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { copyDatabase } from '../../tools/test-database/database.ts';
import type { EscrowFixture } from './escrow-fixture.ts';
import { assertBooksEqualLedger, type Environment, MARKETPLACE, type Process, startProcess } from './ledger-fixture.ts';

/** The same simulators, and the database as it is now. */
export const openOlder = async (t: TestContext, environment: Environment): Promise<Environment> => {
  const copy = await copyDatabase(environment.connection);
  afterwards(t, () => copy.drop());
  return { ...environment, connection: copy.connection };
};

type Adopted = { readonly id: string; readonly state: string; readonly actions: readonly { readonly type: string }[] };

/** Adopts what the wallet has done, and returns the adopted transactions of all wallets, oldest first. */
export const adoptFrom = async ({ sender, pool, troubles }: Process, source: string): Promise<Adopted[]> => {
  const adopted = await sender.adoption.adopt({ marketplaceId: MARKETPLACE, source });
  assert.equal(adopted.kind, 'yes', `${'reason' in adopted ? adopted.reason : ''} ${troubles.join('; ')}`);
  const text = `select id, state, actions from ledger_transactions where purpose = 'adopted' order by created_at`;
  return (await pool.query<Adopted>(text)).rows;
};

/** The older database knows every call of the order that the newer one has made, and makes none of them again. */
export const assertAdoptedCalls = async (
  t: TestContext,
  { fixture: { environment, order }, older }: { fixture: EscrowFixture; older: Environment },
): Promise<void> => {
  const restored = await startProcess(t, older);
  // What a contract has paid in a forgotten call is no deposit.
  for (const { id: walletId } of [order.buyer, order.seller, order.platform]) {
    await restored.deposits.pollNow({ marketplaceId: MARKETPLACE, walletId });
  }
  for (const { address } of [order.buyer, order.seller, order.platform]) await adoptFrom(restored, address);
  const { rows } = await restored.pool.query('select calls from escrows where id = $1', [order.escrowId]);
  assert.deepEqual(rows[0].calls.map((done: DoneCall) => callKey(done)).sort(), (await order.calls()).sort());
  const { sandbox } = environment;
  await assertBooksEqualLedger(restored.pool, sandbox);
};
