// Compares the sequence number of one wallet with the ledger, and adopts what the rows lack.

import { type Answer, unknown, yes } from '../../base/answer.ts';
import type { LedgerNetwork } from '../../providers/ports.ts';
import type { OpenTransaction } from '../transactions/queries.ts';
import type { Adoption } from './adoption.ts';

type Options = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  readonly adoption: Pick<Adoption, 'isKnown' | 'adopt'>;
};

const NOT_KNOWN = unknown('The last transaction of the wallet is not known yet.', { code: 'lagging' });

/** Yes: the books have everything that the ledger shows of this wallet. The value says whether something was adopted now. */
export const compareWallet = async (
  { network, adoption }: Options,
  place: OpenTransaction,
): Promise<Answer<'same' | 'adopted'>> => {
  const account = await network.account(place.source);
  if (account.kind !== 'yes') return account;
  if (account.value === null || (await adoption.isKnown(place, account.value.sequence))) return yes('same');
  const adopted = await adoption.adopt(place);
  if (adopted.kind !== 'yes') return adopted;
  return (await adoption.isKnown(place, account.value.sequence)) ? yes('adopted') : NOT_KNOWN;
};
