// Where a withdrawal goes, in words, and which fields each kind of destination has.

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
    hint: 'Paid by the payment provider to the linked account, else to this e-mail address, else to the user’s own.',
    currencies: ['USD', 'USDC'],
  },
  {
    value: 'payment_account',
    name: 'Payment account',
    hint: 'Paid into an account at the payment provider, which must be active there.',
    currencies: ['USD', 'USDC'],
  },
  {
    value: 'crypto',
    name: 'Ledger address',
    hint: 'Paid over the ledger. The address must exist there and trust the asset.',
    currencies: ['USD', 'USDC', 'XLM'],
  },
];

export const destinationOf = (type: string) => DESTINATIONS.find(({ value }) => value === type) ?? DESTINATIONS[0]!;

export const destinationWords = ({ type, ref, address, email }: Withdrawal['destination']): string => {
  const where = ref ?? email ?? (address ? shortId(address) : null);
  return where ? `${destinationOf(type).name}, ${where}` : destinationOf(type).name;
};

/** What a form says, without the fields that this kind does not have. */
export const wireDestination = ({ type, ref, address, email }: Wanted): CreateWithdrawalInput['destination'] => ({
  type,
  ...(ref.trim() ? { ref: ref.trim() } : {}),
  ...(type === 'crypto' ? { address: address.trim() } : email.trim() ? { email: email.trim() } : {}),
});
