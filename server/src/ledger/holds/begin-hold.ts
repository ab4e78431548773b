// Begins a hold of the deployment. A command reads only rows of its own marketplace, so every marketplace gets a row that says whether
// the ledger was compared with its books since the hold began: until then an order may be funded although the books do not show it.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { fewAtOnce } from '../../base/concurrency.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Context, command, runCommand, type Submit, type UnitOfWork } from '../../commit/command.ts';
import { ALL_PAYMENTS, holdPayments, isCompared, type PaymentHold } from './payment-hold.ts';
import type { HoldReads } from './queries.ts';

/** What `requireLedgerCompared` decides on. */
export const COMPARISON_NEED = { table: 'paymentHolds', id: ALL_PAYMENTS } as const;

const RETRY_AFTER_S = 10;

/** Refuses while the books may not know what the ledger did with the reserved money of an order. */
export const requireLedgerCompared = (work: UnitOfWork): void => {
  const hold = work.find('paymentHolds', ALL_PAYMENTS);
  if (hold === undefined || isCompared(hold, 'ledger')) return;
  throw new DomainError('SERVICE_UNAVAILABLE', {
    message:
      'Payments were put on hold, and the books have not been compared with the ledger since. The reserved money of an order may be in ' +
      'its contract already, so it cannot be released yet. Nothing has changed. Try again in a minute; an operator sees the comparison ' +
      'with `holdfast payments status`.',
    details: { retryAfter: RETRY_AFTER_S },
  });
};

/** The row of a marketplace other than the default one. It holds nothing itself. */
const awaitComparison = command<Pick<PaymentHold, 'since'>, null>({
  name: 'await-comparison',
  needs: () => ({ rows: [COMPARISON_NEED] }),
  decide({ since }, work) {
    if (work.find('paymentHolds', ALL_PAYMENTS)?.since === since) return null;
    work.put('paymentHolds', {
      id: ALL_PAYMENTS,
      held: false,
      reason: 'The books are compared with the ledger.',
      heldBy: null,
      transactions: [],
      accepted: [],
      since,
      booksUntil: null,
      compared: [],
      updatedAt: work.now,
    });
    work.audit({ action: 'PAYMENTS_HELD', resourceType: 'PaymentHold', resourceId: ALL_PAYMENTS, after: { since } });
    return null;
  },
});

type Options = {
  readonly submit: Submit;
  readonly holds: Pick<HoldReads, 'marketplaces'>;
  /** Without a ledger there is nothing to compare with it. */
  readonly hasLedger: boolean;
};

type NewHold = {
  readonly reason: string;
  /** The database was restored from a backup of this time; null when the time is not known. */
  readonly restored?: { readonly takenAt: string | null };
  readonly context: Pick<Context, 'actor' | 'requestId'>;
};

const AT_ONCE = 16;

const RESTORED =
  'This server was restored from a backup, and the outside systems may be ahead of it. Check the wallets that are held and the lost ' +
  'payouts, then release payments.';

export type HoldBeginning = ReturnType<typeof createHoldBeginning>;

export const createHoldBeginning = ({ submit, holds, hasLedger }: Options) => {
  const beginHold = async ({ context: by, ...hold }: NewHold): Promise<void> => {
    const context = { ...by, marketplaceId: DEFAULT_MARKETPLACE };
    const input = { ...hold, id: ALL_PAYMENTS, compared: hasLedger ? [] : ['ledger'] };
    const begun = await runCommand(submit, { command: holdPayments, input, context });
    if (isCompared(begun, 'ledger')) return;
    const others = (await holds.marketplaces()).filter((id) => id !== DEFAULT_MARKETPLACE);
    const { since } = begun;
    await fewAtOnce(others, {
      atOnce: AT_ONCE,
      async work(marketplaceId) {
        await runCommand(submit, { command: awaitComparison, input: { since }, context: { ...by, marketplaceId } });
      },
    });
  };
  return {
    beginHold,
    /** A restored database starts on hold. `takenAt`: the time of the backup, when it is known. */
    holdRestored: (takenAt: string | null): Promise<void> => {
      const actor = { type: 'system', id: 'restore' } as const;
      return beginHold({ reason: RESTORED, restored: { takenAt }, context: { actor, requestId: 'restore' } });
    },
  };
};
