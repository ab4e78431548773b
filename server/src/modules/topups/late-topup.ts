// A top-up that was paid after it had failed, expired or been cancelled. When the provider's own record confirms the payment, the books
// take it in as `operator:late-topups`, once, and an alert shows it. With LATE_TOPUPS=credit the user is credited from there, once. A
// top-up that an operator has credited by hand (credit-by-hand.ts) is not credited again.

import { pollEach } from '../../base/concurrency.ts';
import { ZERO } from '../../books/money.ts';
import { type Context, command, runCommand, type Submit, type UnitOfWork } from '../../commit/command.ts';
import type { Payin, PaymentAccounts } from '../../providers/ports.ts';
import type { ShowPaymentAlerts } from '../reconciliation/payment-alerts.ts';
import type { TopUpPollTimes, WatchedTopUp } from './jobs.ts';
import { TOPUP_MACHINE, type TopUpRow } from './machine.ts';
import { mismatchOf, type PayinUpdate, updateOf } from './payin-update.ts';
import type { TopUpReads } from './queries.ts';
import type { TopUp } from './topup.ts';
import { bookLatePayment, moveTopUp, topUpNeedsNext } from './topup-work.ts';

const rowOf = ({ status }: TopUp, on: TopUpRow['on']): TopUpRow | null =>
  TOPUP_MACHINE.rows.find((each) => each.from === status && each.on === on) ?? null;

/** The top-up has ended without being paid. */
export const isUnpaid = (topup: TopUp): boolean => rowOf(topup, 'payin.late') !== null;

/** The amount may be another one: it is booked as it was paid. */
const isPayment = (topup: TopUp, update: PayinUpdate): boolean => {
  const { amount, status } = update;
  if (amount === null || amount <= ZERO || status !== 'TOPUP_SUCCEEDED') return false;
  return mismatchOf({ ...topup, amount }, update) === null;
};

type Late = { readonly topup: TopUp; readonly update: PayinUpdate };

/** Books the payment as `operator:late-topups`, once. Changes nothing when it is booked already, or is another payment. */
export const bookLatePayin = (work: UnitOfWork, { topup, update }: Late): TopUp => {
  const row = rowOf(topup, 'payin.late');
  if (row === null || topup.lateAmount !== null || !isPayment(topup, update)) return topup;
  return bookLatePayment(work, { topup, row, update });
};

/** Credits what was paid late, whatever the amount of the top-up was. One that a person has credited is not credited again. */
export const creditLatePayin = (work: UnitOfWork, booked: TopUp): TopUp => {
  const row = rowOf(booked, 'payin.late_credit');
  if (row === null || booked.lateAmount === null || booked.correctedAt !== null) return booked;
  const topup: TopUp = { ...booked, amount: booked.lateAmount };
  const update: PayinUpdate = {
    status: 'TOPUP_SUCCEEDED',
    payinId: null,
    amount: topup.amount,
    currency: null,
    fee: topup.fee,
    confirmationUri: null,
    reason: null,
    errorCode: null,
  };
  return moveTopUp(work, { topup, row, update });
};

/** A payment over another amount waits for a person. */
const credit = (work: UnitOfWork, topup: TopUp): TopUp =>
  topup.lateAmount === topup.amount ? creditLatePayin(work, topup) : topup;

type LateInput = {
  readonly topupId: string;
  /** From the provider's own record. Null: the payment is booked already. */
  readonly update: PayinUpdate | null;
  readonly isCredited: boolean;
};

/** Changes nothing when the payment is booked or credited already, or is another one. */
const takeLatePayin = command<LateInput, TopUp>({
  name: 'take-late-payin',
  needs: ({ topupId }) => ({ rows: [{ table: 'topups', id: topupId }] }),
  needsNext: ({ topupId }, work) => topUpNeedsNext(work, topupId),
  decide({ topupId, update, isCredited }, work) {
    const topup = work.get('topups', topupId);
    const booked = update === null ? topup : bookLatePayin(work, { topup, update });
    return isCredited ? credit(work, booked) : booked;
  },
});

type LateOptions = {
  readonly submit: Submit;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  readonly pollTimes: Pick<TopUpPollTimes, 'claimWatched' | 'pollSoon' | 'stopWatching'>;
  readonly reads: Pick<TopUpReads, 'listPaidLate'>;
  readonly showAlerts: ShowPaymentAlerts;
  readonly mode: 'skip' | 'credit';
  /** How long a top-up is read after its end. */
  readonly watchMs: number;
  onTrouble(message: string, error: unknown): void;
};

type Target = { readonly context: Context; readonly topup: TopUp };

/** `absent`: the provider does not know the payment. `unknown`: the record could not be read. */
type Found = { readonly payin: Payin } | 'unpaid' | 'absent' | 'unknown';

type Priority = 'foreground' | 'background';

/** Reads the provider's record of a top-up. Another amount than the top-up's is believed only when two reads show the same. */
export const readLatePayin =
  (accounts: LateOptions['accounts']) =>
  async ({ context: { marketplaceId }, topup }: Target, priority: Priority): Promise<Found> => {
    const account = await accounts.of({ marketplaceId, credentialsId: topup.credentialsId });
    const payment = priority === 'background' ? account?.withPriority('background') : account;
    const found = await payment?.findPayinByCode(topup.id);
    if (!payment || found?.kind !== 'yes') return 'unknown';
    if (found.value === null) return 'absent';
    const { id, state, amount } = found.value;
    if (state !== 'TOPUP_SUCCEEDED') return 'unpaid';
    if (amount === topup.amount) return { payin: found.value };
    const again = await payment.getPayin(id);
    const isSame = again.kind === 'yes' && again.value?.state === state && again.value.amount === amount;
    return isSame ? { payin: found.value } : 'unknown';
  };

const DUE_MAX = 200;
const POLLS_AT_ONCE = 4;
const SILENT_MAX = 8;
const JOB = { type: 'system', id: 'refresh-topups' } as const;

export type LateTopUps = ReturnType<typeof createLateTopUps>;

export const createLateTopUps = (options: LateOptions) => {
  const { submit, pollTimes, reads, showAlerts, watchMs, onTrouble } = options;
  const isCredited = options.mode === 'credit';
  const read = readLatePayin(options.accounts);
  let isClosed = false;

  const take = ({ context, topup }: Target, payin: Payin | null): Promise<TopUp> => {
    const update = payin && updateOf(payin);
    return runCommand(submit, {
      command: takeLatePayin,
      input: { topupId: topup.id, update, isCredited },
      context,
    });
  };

  const poll = async ({ marketplaceId, topup, isLast }: WatchedTopUp): Promise<'answered' | 'silent'> => {
    const context = { marketplaceId, actor: JOB, requestId: topup.id };
    try {
      const found = await read({ context, topup }, 'background');
      if (found === 'unknown') return 'silent';
      const { lateAmount } = typeof found === 'object' ? await take({ context, topup }, found.payin) : topup;
      const isOver = lateAmount === null && (isLast || found === 'absent');
      if (isOver) await pollTimes.stopWatching(marketplaceId, topup.id);
    } catch (error) {
      onTrouble('an ended top-up could not be read; it will be read again', error);
    }
    return 'answered';
  };

  /** Payments that were booked while LATE_TOPUPS was skip. */
  const creditBooked = async (): Promise<void> => {
    for (const { marketplaceId, topup } of await reads.listPaidLate(DUE_MAX)) {
      await take({ context: { marketplaceId, actor: JOB, requestId: topup.id }, topup }, null);
    }
  };

  return {
    /** An event says that the ended top-up was paid. Nothing is booked while the record does not say the same. */
    async check(context: Context, topup: TopUp): Promise<void> {
      // Stored first: a crash after this leaves the read to the job.
      await pollTimes.pollSoon(context.marketplaceId, topup.id);
      const found = await read({ context, topup }, 'foreground');
      if (typeof found !== 'object') return;
      await take({ context, topup }, found.payin);
      await showAlerts();
    },

    /** Reads ended top-ups for a while, because the event about a late payment can be lost. */
    async watchDue(): Promise<void> {
      const due = await pollTimes.claimWatched({ limit: DUE_MAX, watchMs });
      await pollEach(due, { atOnce: POLLS_AT_ONCE, silentMax: SILENT_MAX, poll, isClosed: () => isClosed });
      if (isCredited) await creditBooked();
      await showAlerts();
    },

    close(): void {
      isClosed = true;
    },
  };
};
