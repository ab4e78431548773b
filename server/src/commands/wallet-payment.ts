// Books money that went from one of our addresses to another. An asset may be held there in the books of several
// currencies; what the wanted one lacks is taken from the others, through the operator.

import { CURRENCIES, type Currency } from '@holdfast/contract/currencies.ts';
import { type Account, adjustments, walletHolding } from '../domain/account.ts';
import { type Amount, least, minus, negated, ZERO } from '../domain/money.ts';
import { assetOf } from '../domain/wallet.ts';
import { move } from './books.ts';
import type { Desk } from './command.ts';

type Ends = { readonly from: string; readonly to: string; readonly currency: Currency };

const siblingsOf = (currency: Currency): Currency[] =>
  CURRENCIES.filter((other) => other !== currency && assetOf(other) === assetOf(currency));

/** What the books hold at an address of ours. */
export const held = (desk: Desk, address: string, currency: Currency): Amount =>
  negated(desk.balance(walletHolding(address, currency)));

export const walletPaymentAccounts = ({ from, to, currency }: Ends): Account[] => [
  walletHolding(to, currency),
  ...[currency, ...siblingsOf(currency)].flatMap((each) => [walletHolding(from, each), adjustments(each)]),
];

/** False when the books hold less at the payer's address than was paid; the caller must refuse then. */
export const bookWalletPayment = (
  desk: Desk,
  payment: Ends & { readonly amount: Amount; readonly reference: string },
): boolean => {
  const { from, to, currency, reference } = payment;
  let rest = payment.amount;
  const take = (of: Currency): Amount => {
    const part = least(rest, held(desk, from, of));
    rest = minus(rest, part);
    return part;
  };
  const own = take(currency);
  if (own > ZERO) move(desk, 'wallet_payment', { address: from, toAddress: to, currency, amount: own, reference });
  for (const other of siblingsOf(currency)) {
    const part = take(other);
    if (part === ZERO) continue;
    move(desk, 'exchange_out', { address: from, currency: other, amount: part, reference });
    move(desk, 'exchange_in', { toAddress: to, currency, amount: part, reference });
  }
  return rest === ZERO;
};
