// After payments were held: compares the payouts of the payment provider with the withdrawals in the books, which may be older, as after
// the restore of a backup. A payout whose withdrawal is there is applied to it. The others cannot be adopted, because the request of the
// user is lost: each is shown as a break before payments are released.

import { type Amount, formatAmount } from '../../books/money.ts';
import { scheduled } from '../../jobs/schedule.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { isCompared, type PaymentHold, payoutsOf, type RecordComparison } from '../../ledger/holds/payment-hold.ts';
import type { HoldReads } from '../../ledger/holds/queries.ts';
import type { ListedPayout, PaymentProvider } from '../../providers/ports.ts';
import type { LostPayout } from './breaks.ts';

/** An account at the payment provider, and the marketplace that shows its payouts. */
export type PayoutAccount = {
  readonly marketplaceId: string;
  /** Null: the account that all marketplaces share. */
  readonly providerAccount: string | null;
  readonly provider: Pick<PaymentProvider, 'listPayouts'>;
};

/**
 * What the books know of a payout: `known` is up to date, or is read by the polls of withdrawals. `ended`: the withdrawal has ended without
 * being paid. `differs`: it is another payment.
 */
export type PayoutInBooks = 'known' | 'missing' | 'ended' | 'differs';

type Options = {
  readonly holds: Pick<HoldReads, 'ofDeployment'>;
  readonly recordComparison: RecordComparison;
  listAccounts(): Promise<readonly PayoutAccount[]>;
  /** Applies the payout to its withdrawal, where the books do not know that it was made. */
  adoptPayout(payout: ListedPayout & { readonly code: string }): Promise<PayoutInBooks>;
  see(lost: LostPayout): Promise<void>;
  onTrouble(message: string, error: unknown): void;
};

/** Our ids are the codes of our payouts. Others were made at the provider, or by another program. */
const OUR_CODE = /^wdr_/;
/** In one of these states the provider has paid, or may. */
const PAYING: ReadonlySet<string> = new Set([
  'WITHDRAWAL_COMMITTED',
  'WITHDRAWAL_PENDING',
  'WITHDRAWAL_PENDING_USER_ACTION',
  'WITHDRAWAL_COMPLETED',
]);
/** The clocks may differ, and a hold without the time of a backup covers some days. */
const BEFORE_MS = { backup: 3_600_000, hold: 7 * 86_400_000 };
const PAGES_MAX = 1_000;

const WHY: Readonly<Record<Exclude<PayoutInBooks, 'known'>, string>> = {
  missing: 'the books do not know that withdrawal',
  ended: 'that withdrawal has ended in the books without being paid',
  differs: 'that withdrawal is another one in the books',
};

const reasonOf = ({ id, code, amount, email, createdAt }: ListedPayout & { amount: Amount }, why: string): string =>
  `The payment provider has the payout ${id} of ${formatAmount(amount)} USD to ${email ?? 'an unknown account'}, created at ` +
  `${createdAt} for the withdrawal ${code}, and ${why}.`;

const fromMsOf = ({ booksUntil, since }: PaymentHold): number =>
  booksUntil === null ? Date.parse(since) - BEFORE_MS.hold : Date.parse(booksUntil) - BEFORE_MS.backup;

const createSearch = ({ adoptPayout, see, onTrouble }: Options) => {
  const judge = async ({ marketplaceId }: PayoutAccount, payout: ListedPayout): Promise<void> => {
    const { id: payoutId, code, amount, state } = payout;
    if (code === null || !OUR_CODE.test(code) || !PAYING.has(state)) return;
    const inBooks = await adoptPayout({ ...payout, code });
    if (inBooks === 'known') return;
    await see({ marketplaceId, payoutId, amount, reason: reasonOf(payout, WHY[inBooks]) });
  };

  /** False: the list could not be read to its end. */
  return async (account: PayoutAccount, fromMs: number): Promise<boolean> => {
    let cursor: string | null = null;
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page: Awaited<ReturnType<PaymentProvider['listPayouts']>> = await account.provider.listPayouts({ cursor });
      if (page.kind !== 'yes') {
        onTrouble('the payouts of the payment provider could not be listed', new Error(page.reason));
        return false;
      }
      const { payouts, next } = page.value;
      for (const payout of payouts) if (Date.parse(payout.createdAt) >= fromMs) await judge(account, payout);
      const last = payouts.at(-1);
      if (next === null || last === undefined || Date.parse(last.createdAt) < fromMs) return true;
      cursor = next;
    }
    return false;
  };
};

export const findLostPayouts = (options: Options): Job => {
  const { holds, recordComparison, listAccounts, onTrouble } = options;
  const search = createSearch(options);
  return {
    ...scheduled('find-lost-payouts'),
    atStart: true,
    async run() {
      const hold = await holds.ofDeployment();
      if (hold === null || isCompared(hold, 'payouts')) return;
      const read: string[] = [];
      const accounts = await listAccounts();
      for (const account of accounts) {
        const isRead = await search(account, fromMsOf(hold)).catch((error: unknown) => {
          onTrouble('the payouts of the payment provider could not be compared', error);
          return false;
        });
        if (isRead) read.push(payoutsOf(account.providerAccount));
      }
      if (read.length === accounts.length) return recordComparison(hold, 'payouts');
      for (const what of read) await recordComparison(hold, what);
    },
  };
};
