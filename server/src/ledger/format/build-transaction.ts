// Writes one of our own transactions in its binary form, unsigned: the operations of its actions in their order, and
// nothing else. The signer reads it back and compares it with the same actions.

import { Account, Asset, Operation, TransactionBuilder, type xdr } from '@stellar/stellar-sdk';
import { type Amount, formatExact, fromUnits } from '../../books/money.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';

type Terms = {
  readonly networkPassphrase: string;
  readonly source: string;
  /** The sequence number of this transaction. */
  readonly sequence: bigint;
  /** The highest fee for each operation. */
  readonly feePerOperation: Amount;
  /** In whole seconds of the ledger's time. */
  readonly validUntilS: number;
  /** The asset that backs our dollars on the ledger. */
  readonly asset: LedgerAsset;
};

const decimal = (units: string): string => formatExact(fromUnits(BigInt(units)));

const operationsOf = (action: LedgerAction, usdc: Asset): xdr.Operation[] => {
  switch (action.type) {
    case 'activate':
      return [
        Operation.createAccount({ destination: action.address, startingBalance: decimal(action.units) }),
        Operation.changeTrust({ asset: usdc, source: action.address }),
      ];
    case 'trust':
      return [Operation.changeTrust({ asset: usdc })];
    case 'pay': {
      const asset = action.asset === 'XLM' ? Asset.native() : usdc;
      return [Operation.payment({ destination: action.to, asset, amount: decimal(action.units) })];
    }
    case 'escrow':
      throw new Error('a call of a contract is prepared by its provider');
  }
};

export const buildTransaction = (terms: Terms, actions: readonly LedgerAction[]): string => {
  const { networkPassphrase, source, sequence, validUntilS } = terms;
  const usdc = new Asset(terms.asset.code, terms.asset.issuer ?? undefined);
  const builder = new TransactionBuilder(new Account(source, String(sequence - 1n)), {
    fee: String(terms.feePerOperation),
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: validUntilS },
  });
  for (const operation of actions.flatMap((action) => operationsOf(action, usdc))) builder.addOperation(operation);
  return builder.build().toXDR();
};

/** An activation is two operations; every other action is one. */
export const operationCount = (actions: readonly LedgerAction[]): number =>
  actions.reduce((count, { type }) => count + (type === 'activate' ? 2 : 1), 0);
