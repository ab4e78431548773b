// Checks that many tests end with: no work is unfinished, wallets are active, the proof of balances holds.

import assert from 'node:assert/strict';
import { until } from '../../tools/until.ts';
import { MASTER_KEY, type TestApp } from './app.ts';

// biome-ignore lint/suspicious/noExplicitAny: rows and the simulators' state are read like JavaScript would
type Any = any;

type Sql = (text: string, values?: unknown[]) => Promise<Any[]>;

/** Rows of unfinished work, by table. */
const UNFINISHED = {
  operations: "state = 'RUNNING'",
  ledger_transactions: "state = 'SIGNED'",
  treasury_payments: "state in ('QUEUED', 'SENT')",
  wallets: "status = 'PENDING' and activation_requested_at is not null",
};

/** Waits until these tables have no unfinished work. */
export const untilIdle = (
  { sql }: { sql: Sql },
  tables: readonly (keyof typeof UNFINISHED)[] = ['operations', 'ledger_transactions'],
): Promise<void> => {
  const unfinished = tables.map((table) => `exists (select 1 from ${table} where ${UNFINISHED[table]})`);
  return until(async () => {
    const [row] = await sql(`select ${unfinished.join(' or ')} as "isBusy"`);
    return !row.isBusy;
  }, 'the end of all work');
};

/** Requests the deposit address of the user, waits until the wallet is active on the ledger, and returns the address. */
export const activeAddressOf = async (
  { sql, call }: Pick<TestApp, 'sql' | 'call'>,
  userId: string,
): Promise<string> => {
  const { status, text, body } = await call(`GET /users/${userId}/wallet/deposit`);
  assert.equal(status, 200, text);
  const find = async () => (await sql('select status from wallets where address = $1', [body.data.address]))[0];
  await until(async () => (await find()).status === 'ACTIVE', 'an active wallet');
  return body.data.address;
};

/** The proof of balances holds in this marketplace. */
export const assertProof = async (app: TestApp, marketplaceId = app.marketplaceId): Promise<void> => {
  const headers = { 'x-marketplace-id': marketplaceId };
  const { status, text, body } = await app.call('GET /audit/proof', { key: MASTER_KEY, headers });
  assert.equal(status, 200, text);
  assert.deepEqual(
    body.data.checks.filter(({ holds }: Any) => !holds),
    [],
  );
  assert.equal(body.data.holds, true, text);
};
