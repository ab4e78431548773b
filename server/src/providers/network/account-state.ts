// Reads an account of the ledger. An answer of a node that lags behind what the network has shown before is unknown. So is an answer that
// does not name its ledger: Horizon names it in every answer about an account, also when there is none (the header Latest-Ledger), and
// without it a node that lags behind cannot be told from one that does not.

import { unknown, yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import type { ProviderClient } from '../http-client.ts';
import type { LedgerAccount, LedgerNetwork } from '../ledger-port.ts';
import type { NewestLedger } from './newest-ledger.ts';
import { GET, isMissing, readAccount, refusalOf } from './read-ledger.ts';

/** The next read may reach a node that does not lag. */
const READS_MAX = 3;
const LAGGING = unknown('The ledger server lags behind what it has shown before.', { code: 'lagging' });

const UNNAMED = unknown(
  'The ledger server does not say of which ledger its answer is. A proxy before Horizon has to pass the header Latest-Ledger on.',
  { code: 'misconfigured' },
);

/** The ledger that an answer is consistent with. Null: the server does not name it. */
const ledgerOf = ({ headers }: Reply): number | null => {
  const text = headers.get('latest-ledger') ?? '';
  return /^\d{1,10}$/.test(text) ? Number(text) : null;
};

type Seen = { readonly account: Omit<LedgerAccount, 'ledger'> | null; readonly asOf: number | null };

/** An account that is older than what was seen before is no answer: its number has been used, and its money may be spent. */
export const readAccountAt = async (
  { client, newest }: { readonly client: ProviderClient; readonly newest: NewestLedger },
  { address, from = 0n }: { readonly address: string; readonly from?: bigint },
): ReturnType<LedgerNetwork['account']> => {
  for (let reads = 0; reads < READS_MAX; reads++) {
    const answer = await client.request<Seen>({
      ...GET,
      operation: 'account',
      path: `/accounts/${address}`,
      read: (reply) => yes({ account: readAccount(reply.json), asOf: ledgerOf(reply) }),
      readError: (reply) => (isMissing(reply) ? yes({ account: null, asOf: ledgerOf(reply) }) : refusalOf(reply)),
    });
    if (answer.kind !== 'yes') return answer;
    const { account, asOf } = answer.value;
    if (asOf === null) return UNNAMED;
    if (BigInt(asOf) < from || newest.isPast(asOf)) continue;
    newest.see(asOf);
    return yes(account && { ...account, ledger: asOf });
  }
  return LAGGING;
};
