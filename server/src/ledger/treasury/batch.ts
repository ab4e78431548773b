// Chooses the queued payments of the treasury's next transaction, within the limits of a transaction and the treasury's balance. It
// changes nothing.

import { type Amount, minus, plus, ZERO } from '../../books/money.ts';
import { ACCOUNT_RESERVES, lockedBy, TRUSTLINE_RESERVES } from '../../providers/ledger-reserve.ts';
import { operationCount } from '../format/build-transaction.ts';
import type { Asset } from '../keys/wallet.ts';
import type { LedgerAction } from '../transactions/ledger-transaction.ts';
import type { TreasuryPayment } from './treasury-payment.ts';

/** What the treasury can spend or lock. */
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
const OPERATIONS_MAX = 100;

/** What the treasury locks for a wallet that it activates. */
const ACTIVATION_LOCKS = lockedBy(ACCOUNT_RESERVES + TRUSTLINE_RESERVES);

export const chooseBatch = (waiting: readonly TreasuryPayment[], funds: Funds): Batch => {
  const left = { ...funds };
  const chosen: TreasuryPayment[] = [];
  const refused: TreasuryPayment[] = [];
  let activations = 0;
  let operations = 0;
  let unfunded = 0;
  for (const payment of waiting) {
    const isActivation = payment.kind === 'activate';
    if (isActivation && activations === ACTIVATIONS_MAX) continue;
    const more = operationCount([actionOf(payment, { exists: false })]);
    if (operations + more > OPERATIONS_MAX) continue;
    const needed = plus(payment.amount, isActivation ? ACTIVATION_LOCKS : ZERO);
    if (left[payment.asset] < needed) {
      if (isActivation) unfunded++;
      else refused.push(payment);
      continue;
    }
    left[payment.asset] = minus(left[payment.asset], needed);
    chosen.push(payment);
    operations += more;
    if (isActivation) activations++;
  }
  return { chosen, refused, unfunded };
};

/** An account that exists already, because others have paid to its address, gets its trustline only. */
export const actionOf = (payment: TreasuryPayment, { exists }: { exists: boolean }): LedgerAction => {
  const { id: paymentId, walletId, address, asset, currency } = payment;
  const units = String(payment.amount);
  if (payment.kind === 'pay') return { type: 'pay', to: address, asset, currency, units, paymentId };
  return exists
    ? { type: 'activate', walletId, address, units: '0', paymentId, sponsors: 'trustline' }
    : { type: 'activate', walletId, address, units, paymentId, sponsors: 'account' };
};
