// Compares the operations of one of our own transactions with its actions: the same operations, in the same order, and nothing else.
// Returns a sentence about the first difference, or null.

import type { OperationFacts } from '../format/read-transaction.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';
import type { Asset } from './wallet.ts';

/** The names of our two assets on the ledger. */
export type AssetNames = Readonly<Record<Asset, string>>;

type Setting = { readonly source: string; readonly assets: AssetNames };

/** The ledger's largest number: a trustline without a limit. */
const NO_LIMIT = 2n ** 63n - 1n;

const operationsOf = (action: LedgerAction, { source, assets }: Setting): OperationFacts[] => {
  switch (action.type) {
    case 'activate':
      return [
        { type: 'create-account', source, destination: action.address, starting: BigInt(action.units) },
        { type: 'change-trust', source: action.address, asset: assets.USDC, limit: NO_LIMIT },
      ];
    case 'trust':
      return [{ type: 'change-trust', source, asset: assets.USDC, limit: NO_LIMIT }];
    case 'pay':
      return [
        { type: 'payment', source, destination: action.to, asset: assets[action.asset], amount: BigInt(action.units) },
      ];
    case 'escrow':
      throw new Error('a call of a contract is checked by its step');
  }
};

export const checkActions = (
  operations: readonly OperationFacts[],
  { actions, ...setting }: Setting & { readonly actions: readonly LedgerAction[] },
): string | null => {
  const expected = actions.flatMap((action) => operationsOf(action, setting));
  if (expected.length === 0) return 'no action was requested';
  if (operations.length !== expected.length) {
    return `it has ${operations.length} operations, not ${expected.length}`;
  }
  for (const [index, operation] of operations.entries()) {
    const difference = compare({ ...operation, source: operation.source ?? setting.source }, expected[index]!);
    if (difference) return `operation ${index + 1}: ${difference}`;
  }
  return null;
};

const compare = (actual: OperationFacts, expected: OperationFacts): string | null => {
  if (actual.type !== expected.type) {
    return `it is ${actual.type === 'other' ? actual.name : actual.type}, not ${expected.type}`;
  }
  const given: Record<string, unknown> = actual;
  for (const [field, value] of Object.entries(expected)) {
    if (given[field] !== value) return `its ${field} is ${given[field]}, not ${value}`;
  }
  return null;
};
