// The ledger network of a server that was given none: everything about it is unknown, and nothing can be sent.

import { unknown } from '../../base/answer.ts';
import type { LedgerNetwork } from '../ledger-port.ts';

const REASON = 'No ledger network is configured: set LEDGER_URL, or leave SANDBOX on.';

export function absentLedger(passphrase: string): LedgerNetwork {
  const nobody = async () => unknown('misconfigured', REASON);
  return {
    passphrase,
    networkInfo: nobody,
    account: nobody,
    payments: nobody,
    transaction: nobody,
    paymentsOf: nobody,
    submit: nobody,
    latestLedger: nobody,
    feeStats: nobody,
    friendbot: nobody,
    verifyTransactionConcerns: nobody,
  };
}
