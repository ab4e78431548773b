// The owner of the address of a break, and the advice for each kind of break, by whether the external system holds too
// much or too little.

import type { Break } from '@holdfast/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { shortId } from '../../parts/id.tsx';
import { amountOf, ZERO } from '../../parts/money/amounts.ts';
import type { Owner } from './owners.ts';

export const KIND_WORDS: Readonly<Record<Break['kind'], string>> = {
  'wallet-usdc': 'USDC wallet balance',
  'wallet-xlm': 'XLM wallet balance',
  contract: 'Escrow contract balance',
  'payment-float': 'Payment provider balance',
  'escrow-event': 'Escrow webhook without confirmation',
  deposit: 'Payment that was not credited',
  'short-funding': 'Incomplete funding of an order',
  'unexplained-payment': 'Payment that nothing explains',
  'lost-payout': 'Payout without a withdrawal',
  'payout-amount': 'Payout over another amount',
  'late-topup': 'Top-up paid late',
};

/** The subject of a break of a marketplace that has used more than its float and its credit line. */
const CREDIT_LINE = 'credit-line';
const CREDIT_LINE_ADVICE =
  'The provider paid out more than this marketplace’s float and its credit line. “Books” is the lowest float that the credit line allows. Allot float to the marketplace, or grant the credit line again.';

const isMore = ({ difference }: Break): boolean => amountOf(difference) > ZERO;

export const adviceOf = (one: Break, owner: Owner): ReactNode => {
  if (!one.isOpen) return 'None: the difference is resolved.';
  switch (one.kind) {
    case 'contract':
      return contractAdvice(one, owner);
    case 'payment-float':
      if (one.subject === CREDIT_LINE) return CREDIT_LINE_ADVICE;
      return isMore(one)
        ? 'The provider holds more than the books. Compare its pay-ins and fees with the top-ups of the day; a pay-in without a top-up belongs to a user. If you added the money there, book it: holdfast marketplaces float mkt_default <amount>.'
        : 'The provider holds less than the books. Look for payouts or fees at the provider that no withdrawal explains before you pay anything out.';
    case 'escrow-event':
      return (
        <>
          An alert: a signed webhook reports money that the provider and the ledger do not show. Nothing was booked, so
          the books add up. <Link to={`/audit?resourceId=${encodeURIComponent(one.subject)}`}>Its audit entries</Link>{' '}
          name the order and the reason. If the webhook is false, change ESCROW_WEBHOOK_SECRET. The alert closes by
          itself when the webhook comes true, when the order is closed, or after a week.
        </>
      );
    case 'payout-amount':
      return 'An alert: the books have the payout as it was made, and the difference is in the operator’s account. Compare it with the provider, and credit the user or ask for the money back.';
    case 'late-topup':
      return 'An alert: the money is at the provider, and the books have it as operator:late-topups, not in the user’s balance. With LATE_TOPUPS=credit the service credits it from there. Do not credit it by hand besides.';
    case 'deposit':
      return `${one.reason ?? 'The payment could not be credited.'} Look up the operation on the ledger. The service checks the payment again every ten minutes and closes the break when the payment is booked.`;
    case 'unexplained-payment':
      return `${one.reason ?? 'The wallet made a payment that nothing in the books explains.'} Compare it with your records, then release the wallet: holdfast payments release --wallet.`;
    case 'lost-payout':
      return `${one.reason ?? 'The books do not know the withdrawal of this payout.'} The user was paid and still has the money in the balance: take it from there, or bear it, then book that it has left the provider (holdfast marketplaces float mkt_default <amount> --take-back). The release of all payments closes the break.`;
    case 'short-funding':
      return `${one.reason ?? 'The contract holds less than the amount of the order.'} The service tries again every ten minutes. Find out on the ledger what stopped the transfer.`;
    default:
      return walletAdvice(one, owner);
  }
};

const walletAdvice = (one: Break, owner: Owner): ReactNode => {
  const what = isMore(one)
    ? 'The address holds more than the books: a payment was not booked.'
    : 'The address holds less than the books: a payment out was not booked.';
  if (owner.kind === 'user') {
    return (
      <>
        {what} <Link to={`/users/${owner.userId}?tab=wallet`}>View its payments</Link>, then sync the balance there.
        Syncing books the difference to the user.
      </>
    );
  }
  if (owner.kind === 'platform') {
    return `${what} Check the payments of this address on the ledger. A payment of your own resolves the break as soon as it is booked.`;
  }
  return `${what} Look up the address on the ledger, find its user, and sync that balance.`;
};

const contractAdvice = (one: Break, owner: Owner): ReactNode => {
  const what = isMore(one)
    ? 'The contract received a payment that is not from the buyer. The settlement pays it out; find the sender on the ledger.'
    : 'The contract holds less than the order amount. Do not release or refund before you find the payment out on the ledger.';
  if (owner.kind !== 'order') return what;
  return (
    <>
      {what} <Link to={`/orders/${owner.orderId}`}>View order and ledger transactions</Link>.
    </>
  );
};

export const OwnerLink = ({ owner }: { readonly owner: Owner }) => {
  switch (owner.kind) {
    case 'user':
      return <Link to={`/users/${owner.userId}?tab=wallet`}>{owner.name}</Link>;
    case 'order':
      return <Link to={`/orders/${owner.orderId}`}>{owner.name || `Order ${shortId(owner.orderId)}`}</Link>;
    case 'platform':
      return <span>{owner.name}</span>;
    case 'searching':
      return <span className="soft">Searching for the owner…</span>;
    default:
      return null;
  }
};
