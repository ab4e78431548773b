// Writes one of our own transactions in its binary form, unsigned: the operations of its actions in their order, and
// nothing else. The signer reads it back and compares it with the same actions.

import type { Asset, Memo, xdr } from '@stellar/stellar-sdk';
import { type Amount, formatExact, fromUnits } from '../../books/money.ts';
import { library } from '../../providers/network/library.ts';
import type { LedgerAsset } from '../../providers/ports.ts';
import { type LedgerAction, type LedgerMemo, memoOf } from '../transactions/ledger-transaction.ts';

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
  const { Asset, Operation } = library();
  switch (action.type) {
    case 'activate': {
      const { address, sponsors } = action;
      const create = Operation.createAccount({ destination: address, startingBalance: decimal(action.units) });
      const trust = Operation.changeTrust({ asset: usdc, source: address });
      if (sponsors === undefined) return [create, trust];
      return [
        Operation.beginSponsoringFutureReserves({ sponsoredId: address }),
        ...(sponsors === 'account' ? [create] : []),
        trust,
        Operation.endSponsoringFutureReserves({ source: address }),
      ];
    }
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

const writeMemo = ({ type, value }: LedgerMemo): Memo => library().Memo[type](value);

export const buildTransaction = (terms: Terms, actions: readonly LedgerAction[]): string => {
  const { networkPassphrase, source, sequence, validUntilS } = terms;
  const { Account, Asset, TransactionBuilder } = library();
  const usdc = new Asset(terms.asset.code, terms.asset.issuer ?? undefined);
  const builder = new TransactionBuilder(new Account(source, String(sequence - 1n)), {
    fee: String(terms.feePerOperation),
    networkPassphrase,
    timebounds: { minTime: 0, maxTime: validUntilS },
  });
  for (const operation of actions.flatMap((action) => operationsOf(action, usdc))) builder.addOperation(operation);
  const memo = memoOf(actions);
  if (memo) builder.addMemo(writeMemo(memo));
  return builder.build().toXDR();
};

/** By what an activation sponsors. Every other action is one operation. */
const ACTIVATION_OPERATIONS = { account: 4, trustline: 3, nothing: 2 };

export const operationCount = (actions: readonly LedgerAction[]): number =>
  actions.reduce(
    (count, action) => count + (action.type === 'activate' ? ACTIVATION_OPERATIONS[action.sponsors ?? 'nothing'] : 1),
    0,
  );
