// What to do about each kind of break, by whether there is too much outside or too little.

import type { Break } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { amountOf, ZERO } from '../../parts/amounts.ts';
import type { Concern } from './concerns.ts';

export const KIND_WORDS: Readonly<Record<Break['kind'], string>> = {
  'wallet-usdc': 'USDC at an address',
  'wallet-xlm': 'XLM at an address',
  contract: 'An escrow contract',
  'payment-float': 'The payment provider',
};

const isMore = ({ difference }: Break): boolean => amountOf(difference) > ZERO;

export const adviceOf = (one: Break, concern: Concern): ReactNode => {
  if (!one.isOpen) return 'Nothing: the two agree again.';
  switch (one.kind) {
    case 'contract':
      return contractAdvice(one, concern);
    case 'payment-float':
      return isMore(one)
        ? 'The provider holds more than the books say. Compare its list of payins and fees with the top-ups of the day; a payin that no top-up explains belongs to somebody.'
        : 'The provider holds less than the books say. Look for payouts or fees at the provider that no withdrawal explains before paying anything out.';
    default:
      return walletAdvice(one, concern);
  }
};

const walletAdvice = (one: Break, concern: Concern): ReactNode => {
  const what = isMore(one)
    ? 'More lies at the address than is booked: a payment that was not taken in.'
    : 'Less lies at the address than is booked: something was spent that the books do not know.';
  if (concern.kind === 'user') {
    return (
      <>
        {what} <Link to={`/users/${concern.userId}?tab=wallet`}>Look at its payments</Link>, then sync the balance
        there; that books the difference to the user.
      </>
    );
  }
  if (concern.kind === 'house') {
    return `${what} Look at the payments of this address on the ledger; a payment of your own settles it as soon as it is taken in.`;
  }
  return `${what} Look the address up on the ledger, find the user who has it, and sync that balance.`;
};

const contractAdvice = (one: Break, concern: Concern): ReactNode => {
  const what = isMore(one)
    ? 'Somebody paid into the contract besides the buyer. It comes out with the settlement; who paid it must be found on the ledger.'
    : 'The contract holds less than the order. Do not release or refund before the ledger says where it went.';
  if (concern.kind !== 'order') return what;
  return (
    <>
      {what} <Link to={`/orders/${concern.orderId}`}>See the order and its ledger steps</Link>.
    </>
  );
};
