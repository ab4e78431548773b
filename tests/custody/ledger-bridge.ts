// The ledger network's adapter with the two looks that settling needs besides: what a transaction cost, and what it
// really moved. Both ask the twin over HTTP through the adapter's own client.

import type { Ledger } from '../../server/src/custody/ledger.ts';
import { fromUnits } from '../../server/src/domain/money.ts';
import { yes } from '../../server/src/providers/answer.ts';
import { createClient } from '../../server/src/providers/http-client.ts';
import { createLedgerNetwork, type LedgerNetworkOptions } from '../../server/src/providers/network/ledger-network.ts';
import { isMissing, refusalOf } from '../../server/src/providers/network/problem.ts';
import { bigintOf, readPayments, readTransaction, recordsOf } from '../../server/src/providers/network/read-ledger.ts';
import type { LedgerNetwork } from '../../server/src/providers/ports.ts';
import { fieldsOf, textOf } from '../../server/src/providers/reply-fields.ts';

export const openBridge = (options: LedgerNetworkOptions): LedgerNetwork & Ledger => {
  const client = createClient({ ...options, provider: 'ledger-network' });
  return {
    ...createLedgerNetwork(options),
    transaction: (hash) =>
      client.ask({
        ...{ operation: 'transaction', method: 'GET', path: `/transactions/${hash}`, repeatable: true },
        read({ json }) {
          const fields = fieldsOf(json);
          const feeCharged = fromUnits(bigintOf(fields, 'fee_charged'));
          return yes({ ...readTransaction(json), feeCharged, feeAccount: textOf(fields, 'fee_account') } as never);
        },
        otherwise: (reply) => (isMissing(reply) ? yes({ state: 'missing' } as never) : refusalOf(reply)),
      }),
    paymentsOf: (hash) =>
      client.ask({
        ...{ operation: 'operations', method: 'GET', path: `/transactions/${hash}/operations`, repeatable: true },
        query: { limit: '200', order: 'asc' },
        read: ({ json }) => yes(recordsOf(json).flatMap((record) => readPayments(record))),
        otherwise: refusalOf,
      }),
  };
};
