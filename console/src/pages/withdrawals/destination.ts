// The kinds of withdrawal destinations, their names and their fields.

import type { CreateWithdrawalInput, CurrencyCode, Withdrawal } from '@holdfast/sdk';
import { shortId } from '../../parts/id.tsx';

export type DestinationType = Withdrawal['destination']['type'];

export type Wanted = {
  readonly type: DestinationType;
  readonly ref: string;
  readonly address: string;
  readonly email: string;
};

export const DESTINATIONS: readonly {
  readonly value: DestinationType;
  readonly name: string;
  readonly hint: string;
  readonly currencies: readonly CurrencyCode[];
}[] = [
  {
    value: 'bank',
    name: 'Bank account',
    hint: 'Paid by the payment provider to the linked account, otherwise to this e-mail address, otherwise to the user’s.',
    currencies: ['USD', 'USDC'],
  },
  {
    value: 'payment_account',
    name: 'Payment account',
    hint: 'Paid to an account at the payment provider. The account must be active.',
    currencies: ['USD', 'USDC'],
  },
  {
    value: 'crypto',
    name: 'Ledger address',
    hint: 'Paid on the ledger. The address must exist and trust the asset.',
    currencies: ['USD', 'USDC', 'XLM'],
  },
];

export const destinationOf = (type: string) => DESTINATIONS.find(({ value }) => value === type) ?? DESTINATIONS[0]!;

export const destinationWords = ({ type, ref, address, email }: Withdrawal['destination']): string => {
  const where = ref ?? email ?? (address ? shortId(address) : null);
  return where ? `${destinationOf(type).name}, ${where}` : destinationOf(type).name;
};

/** The destination for the request, without the fields of other kinds. */
export const wireDestination = ({ type, ref, address, email }: Wanted): CreateWithdrawalInput['destination'] => ({
  type,
  ...(ref.trim() ? { ref: ref.trim() } : {}),
  ...(type === 'crypto' ? { address: address.trim() } : email.trim() ? { email: email.trim() } : {}),
});
