// Records payments to a wallet: credits the deposits, each operation once, and moves the wallet's cursor in the same commit where the
// wallet's own page was read. A page that was read from an older cursor than the stored one changes nothing. What a sync has credited
// before is not credited again. What a settlement has booked as the operator's gain before is taken from the operator.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { formatAmount, formatExact, minus, plus, ZERO } from '../../books/money.ts';
import { type Context, command, type UnitOfWork } from '../../commit/command.ts';
import { accountsOf, auditedBalance, availableChange, balanceNeeds, balanceOf } from '../../commit/money.ts';
import type { Wallet } from '../keys/wallet.ts';
import type { Deposit } from './deposit.ts';
import { explainByDeposit, settlementGainNeeds, syncGainNeeds } from './kept-gain.ts';
import type { FollowedWallet } from './queries.ts';

export type IncomingPayment = Pick<
  Deposit,
  'id' | 'transactionHash' | 'fromAddress' | 'asset' | 'currency' | 'amount' | 'occurredAt'
>;

type RecordInput = {
  readonly wallet: Pick<Wallet, 'id' | 'address' | 'owner' | 'userId'>;
  /** The part of the wallet's payments that was read. Null: a page of the whole network was read, and the wallet's cursor stays. */
  readonly read: { readonly after: string; readonly to: string } | null;
  readonly payments: readonly IncomingPayment[];
};

/** `taken` is false when another process recorded the page or a part of it first: read again from the stored cursor. */
type RecordReply = { readonly taken: boolean; readonly recorded: number };

export const contextOf = ({ marketplaceId, id }: Pick<FollowedWallet, 'marketplaceId' | 'id'>): Context => ({
  marketplaceId,
  actor: { type: 'system', id: 'deposits' },
  requestId: `deposits-${id}`,
});

const isLater = (cursor: string, than: string): boolean => BigInt(cursor) > BigInt(than);

const accountsFor = ({ address, userId }: RecordInput['wallet'], currency: Currency) =>
  userId === null
    ? accountsOf('house_deposit', { address, currency })
    : [
        ...balanceNeeds({ userId, currency }, []).accounts,
        ...accountsOf('deposit', { address, userId, currency }),
        ...accountsOf('unexplained_reversal', { address, currency }),
      ];

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
  if (amount === ZERO) return { before: auditedBalance(before), after: auditedBalance(before) };
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
  const at = { walletId, address, asset: payment.asset };
  const { bySync, bySettlement } = explainByDeposit(work, { ...at, paymentId: reference, amount });
  const parts = {
    ...(bySync === ZERO ? {} : { creditedBySync: formatExact(bySync) }),
    ...(bySettlement === ZERO ? {} : { fromOperatorGain: formatExact(bySettlement) }),
  };
  if (userId === null) {
    // A correction or a settlement may have booked it before.
    const rest = minus(amount, plus(bySync, bySettlement));
    if (rest > ZERO) work.move('house_deposit', { address, currency, amount: rest, reference });
    work.audit({ ...resource, after: { currency, ...auditedDeposit(payment), ...parts } });
    return;
  }
  const { before, after } = credit(work, { payment: { ...payment, amount: minus(amount, bySync) }, userId, address });
  // The books have had this part at the wallet since the settlement, as the operator's.
  if (bySettlement > ZERO) work.move('unexplained_reversal', { address, currency, amount: bySettlement, reference });
  work.audit({ ...resource, userId, before, after: { ...after, ...auditedDeposit(payment), ...parts } });
};

export const recordDeposit = command<RecordInput, RecordReply>({
  name: 'record-deposit',
  needs: ({ wallet, payments }) => ({
    rows: [
      { table: 'wallets', id: wallet.id },
      ...(wallet.userId === null ? [] : [{ table: 'users', id: wallet.userId } as const]),
      ...payments.map(({ id }) => ({ table: 'deposits', id }) as const),
      ...[...new Set(payments.map(({ asset }) => asset))].flatMap((asset) => [
        syncGainNeeds({ walletId: wallet.id, asset }),
        settlementGainNeeds({ address: wallet.address, asset }),
      ]),
    ],
    accounts: [...new Set(payments.map(({ currency }) => currency))].flatMap((currency) =>
      accountsFor(wallet, currency),
    ),
  }),
  decide({ wallet: { id }, read, payments }, work) {
    const wallet = work.get('wallets', id);
    const { paymentsCursor } = wallet;
    if (read !== null && isLater(paymentsCursor, read.after)) return { taken: false, recorded: 0 };
    // An answer of the ledger may repeat a payment.
    const once = [...new Map(payments.map((payment) => [payment.id, payment])).values()];
    const fresh = once.filter((payment) => work.find('deposits', payment.id) === undefined);
    for (const payment of fresh) record(work, { payment, wallet });
    if (read !== null && read.to !== paymentsCursor) {
      work.put('wallets', { ...wallet, paymentsCursor: read.to, updatedAt: work.now });
      // Every change needs an audit entry, also a page without a deposit.
      if (fresh.length === 0) {
        const entry = { action: 'DEPOSIT_RECORDED', resourceType: 'Wallet', resourceId: id } as const;
        work.audit({ ...entry, before: { paymentsCursor }, after: { depositId: null, paymentsCursor: read.to } });
      }
    }
    return { taken: true, recorded: fresh.length };
  },
});
