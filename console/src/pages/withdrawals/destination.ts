// The kinds of withdrawal destinations, their names and their fields.

import type { CreateWithdrawalInput, CurrencyCode, Withdrawal } from '@holdfast/sdk';
import { shortId } from '../../parts/id.tsx';

export type DestinationType = Withdrawal['destination']['type'];

export type Wanted = {
  readonly type: DestinationType;
  readonly ref: string;
  readonly address: string;
  /** Empty for none. */
  readonly memoType: string;
  readonly memo: string;
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

type MemoType = NonNullable<CreateWithdrawalInput['destination']['memoType']>;

export const MEMOS: readonly { readonly value: MemoType | ''; readonly name: string; readonly hint: string }[] = [
  {
    value: '',
    name: 'No memo',
    hint: 'Exchanges assign deposits by a memo. Enter the one that the receiver has given.',
  },
  { value: 'text', name: 'Text', hint: 'At most 28 bytes.' },
  { value: 'id', name: 'ID', hint: 'A whole number.' },
  { value: 'hash', name: 'Hash', hint: '64 hexadecimal digits.' },
  { value: 'return', name: 'Return hash', hint: '64 hexadecimal digits.' },
];

export const memoOf = (type: string) => MEMOS.find(({ value }) => value === type) ?? MEMOS[0]!;

/**
 * The destination for the request, without the fields of other kinds. An exchange that does not find its memo may keep the money, so spaces
 * inside a memo are kept and those around it are not.
 */
export const wireDestination = ({ type, memoType, memo, ...wanted }: Wanted): CreateWithdrawalInput['destination'] => {
  const address = wanted.address.trim();
  const email = wanted.email.trim();
  const common = wanted.ref.trim() ? { ref: wanted.ref.trim() } : {};
  if (type !== 'crypto') return { type, ...common, ...(email ? { email } : {}) };
  const { value } = memoOf(memoType);
  if (value === '') return { type, ...common, address };
  return { type, ...common, address, memoType: value, memo: memo.trim() };
};
