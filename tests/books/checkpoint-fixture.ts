// A marketplace whose proof has a checkpoint, and what the tests of checkpoints ask and change there.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { proveMarketplace } from '../../server/src/books/proof.ts';
import type { Proof } from '../../server/src/books/proof-checks.ts';
import { proveAndMark } from '../../server/src/modules/audit/jobs.ts';
import { creditBalance } from '../../server/src/modules/balances/adjust-balance.ts';
import { type Fixture, MARKETPLACE, openFixture, usd } from '../commit/fixture.ts';
import { disableTriggers, enableTriggers } from '../support/triggers.ts';

export const mark = ({ pool }: Fixture, { full = false } = {}): Promise<Proof> =>
  proveAndMark(pool, { marketplaceId: MARKETPLACE, full });

export const prove = async ({ pool }: Fixture, { full = false } = {}): Promise<Proof> =>
  (await proveMarketplace(pool, { marketplaceId: MARKETPLACE, full })).proof;

export const broken = ({ checks }: Proof): string[] => checks.filter(({ holds }) => !holds).map(({ name }) => name);

export const detailOf = ({ checks }: Proof, name: string): string | undefined =>
  checks.find((check) => check.name === name)?.detail;

export const credit = ({ submit }: Fixture, userId: string) =>
  submit(creditBalance, { userId, currency: 'USD', amount: usd('1.00') });

/** Changes rows as only an administrator of the database could. */
export const tamper = async ({ pool }: Fixture, table: string, statement: string): Promise<void> => {
  await pool.query(disableTriggers(table));
  await pool.query(statement);
  await pool.query(enableTriggers(table));
};

export const checkpoints = async ({ pool }: Fixture) =>
  (await pool.query('select number::int, is_full, audit_seq::int from proof_checkpoints order by number')).rows;

/** One user with a posting before the checkpoint, and one after it. */
export const openMarked = async (t: TestContext) => {
  const fixture = await openFixture(t);
  const early = await fixture.user('5.00');
  assert.equal((await mark(fixture)).checkpoint, null);
  const late = await fixture.user('7.00');
  return { fixture, early, late };
};
