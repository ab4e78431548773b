// Payments of the treasury and activations in one transaction while the ledger misbehaves: each happens once, and the books equal
// the ledger.

import assert from 'node:assert/strict';
import { queueActivation, requestTreasuryPayment } from '../../server/src/ledger/treasury/treasury-queue.ts';
import { until } from '../../tools/until.ts';
import {
  amount,
  assertBooksEqualLedger,
  type Environment,
  MARKETPLACE,
  type OnLedger,
  onLedger,
  type Process,
} from './ledger-fixture.ts';

type PlatformWallets = { readonly environment: Environment; readonly server: Process };

type Script = { readonly fault: string; readonly delayMs?: number };

const FEW_SCRIPTS: readonly Script[] = [{ fault: 'lost-answer', delayMs: 5 }, { fault: 'refusal' }];

const MORE_SCRIPTS: readonly Script[] = [
  { fault: 'timeout' },
  { fault: 'timeout', delayMs: 5 },
  { fault: 'outage' },
  { fault: 'lost-answer' },
  { fault: 'slow', delayMs: 1_600 },
  { fault: 'http-200-failed' },
  { fault: 'wrong-amount' },
];

type ReadFault = { readonly operation: 'transaction-get' | 'account'; readonly fault: string };

const FEW_READS: readonly ReadFault[] = [{ operation: 'transaction-get', fault: 'outage' }];

const MORE_READS: readonly ReadFault[] = [
  { operation: 'account', fault: 'wrong-amount' },
  { operation: 'transaction-get', fault: 'timeout' },
  { operation: 'transaction-get', fault: 'refusal' },
  { operation: 'transaction-get', fault: 'wrong-amount' },
  { operation: 'account', fault: 'timeout' },
  { operation: 'account', fault: 'refusal' },
  { operation: 'account', fault: 'outage' },
];

/** For `npm test`: a submission that happened, one that did not, and a read. */
export const FEW = { scripts: FEW_SCRIPTS, reads: FEW_READS };
export const EVERY = { scripts: [...FEW_SCRIPTS, ...MORE_SCRIPTS], reads: [...FEW_READS, ...MORE_READS] };

export const nameOf = ({ fault, delayMs }: Script): string =>
  delayMs === undefined ? fault : `${fault} of ${delayMs} ms`;

const LARGEST = `select max(jsonb_array_length(actions)) as most from ledger_transactions where not id = any($1)`;

/** Two payments and an activation at once, so that they share a transaction. */
const askTogether = async (
  server: Process,
  ids: readonly [ann: string, bob: string, newcomer: string],
): Promise<void> => {
  const context = { marketplaceId: MARKETPLACE, actor: { type: 'system', id: 'test' }, requestId: 'r' } as const;
  const [ann, bob, newcomer] = ids;
  const payments = [ann, bob].map((walletId, index) => {
    const input = { walletId, currency: 'USD', amount: amount(`${5 + index}`), reference: null } as const;
    return server.submit({ command: requestTreasuryPayment, input, context });
  });
  const activation = { walletId: newcomer, day: '2026-11-16', max: null, hasPlace: true };
  await Promise.all([server.submit({ command: queueActivation, input: activation, context }), ...payments]);
};

/** Returns the balances of two wallets that were paid 5 and 6, and of one that was activated. */
export const payAndActivateUnder = async (
  { environment, server }: PlatformWallets,
  script: Script,
): Promise<(OnLedger | null)[]> => {
  const [ann, bob] = await Promise.all([server.user(), server.user()]);
  const newcomer = await server.pendingUser();
  const before = await server.pool.query<{ id: string }>('select id from ledger_transactions');
  environment.sandbox.faults.arm({ operation: 'payment', ...script });
  await askTogether(server, [ann.id, bob.id, newcomer.id]);
  // A refused payment is final for its request; a new request pays it.
  const covered = async (id: string, sum: string) =>
    until(async () => (await server.fundWallet(id, sum)).kind === 'yes', 'it is covered');
  await Promise.all([covered(ann.id, '5.00'), covered(bob.id, '6.00'), server.activate(newcomer)]);
  const { rows } = await server.pool.query<{ most: number }>(LARGEST, [before.rows.map(({ id }) => id)]);
  // On a busy machine the first of them may be sent before the others are committed.
  assert.ok(rows[0]!.most >= 2, `they share a transaction: ${rows[0]!.most}`);
  assert.deepEqual(environment.sandbox.faults.list(), [], 'the fault struck');
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return [ann, bob, newcomer].map(({ address }) => onLedger(environment.sandbox, address));
};

const xlm = '3.0000000';
export const PAID_AND_ACTIVATED: readonly OnLedger[] = [
  { usdc: '5.0000000', xlm },
  { usdc: '6.0000000', xlm },
  { usdc: '0.0000000', xlm: '0.0000000' },
];

/** Returns the balance of a wallet that was paid 5.00 while another one was activated. */
export const payAndActivateWhile = async (
  { environment, server }: PlatformWallets,
  { operation, fault }: ReadFault,
): Promise<string> => {
  const ann = await server.user();
  const newcomer = await server.pendingUser();
  environment.sandbox.faults.arm({ operation, fault, count: 3 });
  const active = server.activate(newcomer);
  const reference = `opn_${ann.id}`;
  await until(async () => (await server.fundWallet(ann.id, '5.00', { reference })).kind === 'yes', 'it is covered');
  await active;
  environment.sandbox.faults.clear();
  await assertBooksEqualLedger(server.pool, environment.sandbox);
  return onLedger(environment.sandbox, ann.address)!.usdc;
};
