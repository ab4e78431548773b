// Finds the later transactions of a held wallet that no request explains. An operator then decides about all of them at once. Nothing is
// written here.

import type { AccountTransaction } from '../../providers/ports.ts';
import { readEscrowCall } from '../format/read-escrow-call.ts';
import { readIncluded } from '../format/read-transaction.ts';
import type { UnexplainedTransaction } from './adoption.ts';
import { createMatching, type MatchOptions } from './match-transaction.ts';

type Ahead = {
  readonly marketplaceId: string;
  /** The transactions of the wallet that an operator has not been shown yet, in the order of the ledger. */
  readonly unseen: readonly AccountTransaction[];
  /** All transactions that are not adopted yet, also those of other wallets. */
  readonly missing: readonly AccountTransaction[];
};

/** After a release the next ones are shown. */
const AHEAD_MAX = 100;

type Deployment = { readonly orderId: string; readonly contractId: string };

const deploymentsIn = ({ successful, envelope }: AccountTransaction, networkPassphrase: string): Deployment[] => {
  const operations = (successful && readIncluded(envelope)?.operations) || [];
  return operations.flatMap((facts) => {
    const call = facts.type === 'call' ? readEscrowCall(facts, networkPassphrase) : null;
    return call === null || call.orderId === null ? [] : [{ orderId: call.orderId, contractId: call.contractId }];
  });
};

export const createLookAhead = (options: Omit<MatchOptions, 'beginEscrow'>) => {
  const { reads, ledger, usdc, usdcCurrency, networkPassphrase } = options;
  // Without `beginEscrow`, which writes.
  const match = createMatching({ reads, ledger, usdc, usdcCurrency, networkPassphrase });

  /** The contracts that are deployed for orders of ours. A payment to one is explained as soon as its deployment is adopted. */
  const contractsToCome = async ({ marketplaceId, missing }: Ahead): Promise<ReadonlySet<string>> => {
    const deployments = missing.flatMap((transaction) => deploymentsIn(transaction, networkPassphrase));
    const orderIds = deployments.map(({ orderId }) => orderId);
    const orders = await reads.orders(marketplaceId, orderIds);
    return new Set(deployments.flatMap(({ orderId, contractId }) => (orders.has(orderId) ? [contractId] : [])));
  };

  return async (ahead: Ahead): Promise<UnexplainedTransaction[]> => {
    const { marketplaceId, unseen } = ahead;
    const toCome = await contractsToCome(ahead);
    const found: UnexplainedTransaction[] = [];
    for (const transaction of unseen.slice(0, AHEAD_MAX)) {
      const { hash, at } = transaction;
      const matched = await match({ marketplaceId, transaction });
      const payments = matched?.unexplained.filter(({ to }) => !toCome.has(to)) ?? [];
      if (payments.length > 0) found.push({ hash, at, payments });
    }
    return found;
  };
};
