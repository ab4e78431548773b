// Records a page of a wallet's payments: credits the deposits, each operation once, and moves the wallet's cursor in the same commit. A
// page that was read from an older cursor than the stored one changes nothing.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { formatAmount, formatExact } from '../../books/money.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { accountsOf, auditedBalance, availableChange, balanceNeeds, balanceOf } from '../../commit/money.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { Deposit } from './deposit.ts';

export type IncomingPayment = Pick<
  Deposit,
  'id' | 'transactionHash' | 'fromAddress' | 'asset' | 'currency' | 'amount' | 'occurredAt'
>;

type RecordInput = {
  readonly wallet: Pick<Wallet, 'id' | 'address' | 'owner' | 'userId'>;
  /** The stored cursor that the page was read after. */
  readonly after: string;
  /** Where the page ends. */
  readonly cursor: string;
  readonly payments: readonly IncomingPayment[];
};

/** `taken` is false when another process recorded the page or a part of it first: read again from the stored cursor. */
type RecordReply = { readonly taken: boolean; readonly recorded: number };

const accountsFor = ({ address, userId }: RecordInput['wallet'], currency: Currency) =>
  userId === null
    ? accountsOf('house_deposit', { address, currency })
    : [...balanceNeeds({ userId, currency }, []).accounts, ...accountsOf('deposit', { address, userId, currency })];

const auditedDeposit = ({ id, asset, amount, transactionHash }: IncomingPayment) => ({
  depositId: id,
  asset,
  amount: formatExact(amount),
  transactionHash,
});

type Credit = { readonly payment: IncomingPayment; readonly userId: string; readonly address: string };

const credit = (work: UnitOfWork, { payment, userId, address }: Credit) => {
  const { id: sourceId, currency, amount } = payment;
  const before = balanceOf(work, { userId, currency });
  work.move('deposit', { userId, address, currency, amount, reference: sourceId });
  const after = balanceOf(work, { userId, currency });
  const payload = { userId, amount: formatAmount(amount), currency, source: 'deposit', sourceId };
  work.emit({
    type: 'balance.credited',
    aggregateId: userId,
    userId,
    payload: { ...payload, ...availableChange(before, after) },
  });
  return { before: auditedBalance(before), after: auditedBalance(after) };
};

type Incoming = { readonly payment: IncomingPayment; readonly wallet: RecordInput['wallet'] };

const record = (work: UnitOfWork, { payment, wallet }: Incoming): void => {
  const { id: walletId, userId, address } = wallet;
  work.put('deposits', { ...payment, walletId, userId, createdAt: work.now });
  const { currency, amount, id: reference } = payment;
  const resource = { action: 'DEPOSIT_RECORDED', resourceType: 'Wallet', resourceId: walletId } as const;
  if (userId === null) {
    work.move('house_deposit', { address, currency, amount, reference });
    work.audit({ ...resource, after: { currency, ...auditedDeposit(payment) } });
    return;
  }
  const { before, after } = credit(work, { payment, userId, address });
  work.audit({ ...resource, userId, before, after: { ...after, ...auditedDeposit(payment) } });
};

export const recordDeposit = command<RecordInput, RecordReply>({
  name: 'record-deposit',
  needs: ({ wallet, payments }) => ({
    rows: [
      { table: 'wallets', id: wallet.id },
      ...(wallet.userId === null ? [] : [{ table: 'users', id: wallet.userId } as const]),
      ...payments.map(({ id }) => ({ table: 'deposits', id }) as const),
    ],
    accounts: [...new Set(payments.map(({ currency }) => currency))].flatMap((currency) =>
      accountsFor(wallet, currency),
    ),
  }),
  decide({ wallet: { id }, after, cursor, payments }, work) {
    const wallet = work.get('wallets', id);
    if (wallet.paymentsCursor !== after) return { taken: false, recorded: 0 };
    const fresh = payments.filter((payment) => work.find('deposits', payment.id) === undefined);
    for (const payment of fresh) record(work, { payment, wallet });
    if (cursor !== after) {
      work.put('wallets', { ...wallet, paymentsCursor: cursor, updatedAt: work.now });
      // Every change needs an audit entry, also a page without a deposit.
      if (fresh.length === 0) {
        const entry = { action: 'DEPOSIT_RECORDED', resourceType: 'Wallet', resourceId: id } as const;
        work.audit({ ...entry, before: { paymentsCursor: after }, after: { depositId: null, paymentsCursor: cursor } });
      }
    }
    return { taken: true, recorded: fresh.length };
  },
});
