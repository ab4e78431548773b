// Chooses the queued payments of the treasury's next transaction, within the limits of a transaction and the treasury's balance. It
// changes nothing.

import { type Amount, minus } from '../../books/money.ts';
import type { Asset } from '../keys/wallet.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

export type Funds = Readonly<Record<Asset, Amount>>;

export type Batch = {
  readonly chosen: readonly TreasuryPayment[];
  /** More than the treasury has: refused. */
  readonly refused: readonly TreasuryPayment[];
  /** Activations that have to wait until the treasury has more. */
  readonly unfunded: number;
};

/** Twenty signatures fit on a transaction: the treasury's, and one for each created wallet. */
const ACTIVATIONS_MAX = 19;

export const chooseBatch = (waiting: readonly TreasuryPayment[], funds: Funds): Batch => {
  const left = { ...funds };
  const chosen: TreasuryPayment[] = [];
  const refused: TreasuryPayment[] = [];
  let activations = 0;
  let unfunded = 0;
  for (const payment of waiting) {
    const isActivation = payment.kind === 'activate';
    if (isActivation && activations === ACTIVATIONS_MAX) continue;
    if (left[payment.asset] < payment.amount) {
      if (isActivation) unfunded++;
      else refused.push(payment);
      continue;
    }
    left[payment.asset] = minus(left[payment.asset], payment.amount);
    chosen.push(payment);
    if (isActivation) activations++;
  }
  return { chosen, refused, unfunded };
};

/** An account that exists already is only paid; the wallet then creates its own trustline. */
export const actionOf = (payment: TreasuryPayment, { exists }: { exists: boolean }): LedgerAction => {
  const { id: paymentId, walletId, address, asset, currency } = payment;
  const units = String(payment.amount);
  return payment.kind === 'activate' && !exists
    ? { type: 'activate', walletId, address, units, paymentId }
    : { type: 'pay', to: address, asset, currency, units, paymentId };
};
