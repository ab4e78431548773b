// Which payments to our wallets are no deposits. Most of it is in the rows. A contract may also pay in a transaction of one of our wallets
// that no row knows, because the database is older than the ledger: then the ledger says whose transaction it is, and the payment waits until the
// transaction is adopted. It reads only.

import type { LedgerNetwork } from '../../providers/ports.ts';
import type { ArrivalOptions } from './arrivals.ts';
import type { DepositReads, Origin, SeenPayment } from './queries.ts';

type Options = {
  readonly reads: Pick<DepositReads, 'origins' | 'atAddresses'>;
  readonly network: Pick<LedgerNetwork, 'transaction'>;
};

/** Contracts have addresses of their own kind. */
const isOfContract = ({ from }: SeenPayment): boolean => from?.startsWith('C') === true;

export const createFindOrigins = ({ reads, network }: Options): ArrivalOptions['findOrigins'] => {
  /** A transaction of ours pays its fee from one of our wallets. While the ledger does not say who paid, it may be ours. */
  const mayBeOurs = async ({ transactionHash }: SeenPayment): Promise<boolean> => {
    const found = await network.transaction(transactionHash);
    if (found.kind !== 'yes' || found.value.state === 'missing') return true;
    return (await reads.atAddresses([found.value.feeAccount])).length > 0;
  };

  return async (marketplaceId, payments) => {
    const known = await reads.origins(marketplaceId, payments);
    const origins = new Map<string, Origin>();
    for (const payment of payments) {
      const origin = known.get(payment.id);
      if (origin !== undefined && origin !== 'called') origins.set(payment.id, origin);
      else if (isOfContract(payment) && (await mayBeOurs(payment))) origins.set(payment.id, 'unexplained');
      else if (origin === 'called') origins.set(payment.id, 'own');
    }
    return origins;
  };
};
