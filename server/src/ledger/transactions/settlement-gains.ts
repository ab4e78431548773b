// The gains of a settlement. What one of our addresses has spent and nothing explains is kept as a gain. What the transaction has paid to our
// addresses explains the gains that earlier settlements have kept there.

import { ZERO } from '../../books/money.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import {
  explainByOwnPayment,
  keepSettlementGain,
  receiverGainNeeds,
  settlementGainNeeds,
} from '../deposits/kept-gain.ts';
import { assetOf } from '../keys/wallet.ts';
import { isWithdrawal } from './action-owners.ts';
import { contractPayments, escrowActionIn } from './contract-moves.ts';
import type { LedgerAction, LedgerTransaction } from './ledger-transaction.ts';
import type { Ending, SettleTransactionInput } from './settle-transaction.ts';
import type { AtAddress, Spending } from './wallet-payment.ts';

/** The address that an action pays and the currency; null when it does not pay one address. */
export const paymentOf = (action: LedgerAction) => {
  // A sponsored account begins with nothing.
  if (action.type === 'activate') return action.units === '0' ? null : { to: action.address, currency: 'XLM' as const };
  return action.type === 'pay' ? { to: action.to, currency: action.currency } : null;
};

/** The balance of an outside address is not in our books. If it is a wallet of ours, what it receives is recorded as a deposit. */
export const isToOutside = (action: LedgerAction): boolean =>
  isWithdrawal(action) || (action.type === 'pay' && action.outside === true);

/** What a transaction has paid to our own addresses. */
const receivedBy = ({ actions }: LedgerTransaction, ending: Ending): AtAddress[] => {
  if (ending.kind !== 'succeeded') return [];
  const call = escrowActionIn(actions);
  const paid = actions.flatMap((action, index) => {
    const payment = isToOutside(action) ? null : paymentOf(action);
    const amount = ending.paid[index] ?? null;
    return payment && amount ? [{ address: payment.to, currency: payment.currency, amount }] : [];
  });
  return call ? contractPayments(call, ending.moved ?? []) : paid;
};

/** At every address of ours that may have paid. */
const payerGainNeeds = ({ transaction, ending, depositsApplied }: SettleTransactionInput): Need[] => {
  if (!depositsApplied || !('fee' in ending)) return [];
  const { source, actions } = transaction;
  const payers = new Set([source, ending.feeAccount, ...(escrowActionIn(actions)?.addresses ?? [])]);
  return [...payers].flatMap((address) => [
    settlementGainNeeds({ address, asset: 'USDC' }),
    settlementGainNeeds({ address, asset: 'XLM' }),
  ]);
};

/** The rows of the gains that the settlement may keep or explain. */
export const gainNeeds = (input: SettleTransactionInput): Need[] => [
  ...payerGainNeeds(input),
  ...receivedBy(input.transaction, input.ending).map(receiverGainNeeds),
];

type Gains = Pick<SettleTransactionInput, 'transaction' | 'ending'> & { readonly spending: Spending };

/** Runs when everything is booked. Returns what this transaction explains of the gains that earlier settlements have booked. */
export const settleGains = (work: UnitOfWork, { transaction, ending, spending }: Gains): AtAddress[] => {
  if (!('fee' in ending)) return [];
  const { ledger } = ending;
  const of = { reference: transaction.id, ledger };
  const explained = receivedBy(transaction, ending).flatMap((received) => {
    const amount = explainByOwnPayment(work, { ...received, ...of });
    return amount === ZERO ? [] : [{ ...received, amount }];
  });
  // Last: what the transaction has paid cannot explain what it has spent itself.
  for (const { address, currency, amount } of spending.unexplained) {
    keepSettlementGain(work, { address, asset: assetOf(currency), amount, ledger });
  }
  return explained;
};
