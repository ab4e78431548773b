// Routes of the hold of outgoing payments. Only the master key may call them. A hold is released after the outside systems were compared
// with the books, so that an operator has seen what the books lack before anything is paid again.

import * as api from '@holdfast/contract/api/jobs.ts';
import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { formatExact, fromUnits } from '../../books/money.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { act, type Route, read } from '../../http/route.ts';
import type { Adoption } from '../../ledger/adoption/adoption.ts';
import type { HoldBeginning } from '../../ledger/holds/begin-hold.ts';
import {
  ALL_PAYMENTS,
  COMPARISONS,
  type Comparison,
  isCompared,
  type PaymentHold,
  releasePayments,
} from '../../ledger/holds/payment-hold.ts';
import type { HeldWallet, HoldReads } from '../../ledger/holds/queries.ts';

type Parts = {
  readonly submit: Submit;
  readonly holds: HoldReads;
  readonly beginHold: HoldBeginning['beginHold'];
  readonly adoption: Pick<Adoption, 'adopt'>;
  /** The breaks of payments that nothing explains. */
  readonly unexplained: {
    accept(of: { marketplaceId: string; hash: string; payments: number }): Promise<void>;
  };
  /** The breaks of payouts without a withdrawal. */
  readonly lostPayouts: { count(): Promise<number>; acceptAll(): Promise<void> };
  /** Without a ledger there is nothing to compare with it. */
  readonly hasLedger: boolean;
  /** Compares the outside systems with the books in the background, as the jobs do. */
  compareNow(): void;
};

const WALLETS_MAX = 100;

const presentWallet = ({ id: walletId, marketplaceId, address, reason, since, transactions }: HeldWallet) => ({
  walletId,
  marketplaceId,
  address,
  reason,
  since,
  transactions: transactions.map(({ hash, at, payments }) => ({
    hash,
    at,
    payments: payments.map(({ to, asset, units }) => ({ to, asset, amount: formatExact(fromUnits(BigInt(units))) })),
  })),
});

const notHeld = (walletId: string): DomainError =>
  new DomainError('INVALID_STATE', {
    message: `The wallet ${walletId} is not held. GET /payments/hold lists the wallets that are.`,
    details: { currentState: 'NOT_HELD', allowedActions: [] },
  });

const NAMES: Readonly<Record<Comparison, string>> = {
  ledger: 'the wallets with the ledger',
  payouts: 'the payouts of the payment provider with the withdrawals',
};

const notCompared = (missing: readonly Comparison[]): DomainError =>
  new DomainError('INVALID_STATE', {
    message:
      `Since the hold began the service has not compared ${missing.map((what) => NAMES[what]).join(', nor ')}. ` +
      'Try again in a minute. To pay before that, release payments with "anyway": true.',
    details: { currentState: 'COMPARING', allowedActions: [] },
  });

const notAccepted = (count: number): DomainError =>
  new DomainError('INVALID_STATE', {
    message:
      `The payment provider has made ${count} payouts whose withdrawals the books do not know; they are breaks of the kind lost-payout. ` +
      'Take their money out of the balances of the users first. Then release payments with "acceptLostPayouts": true.',
    details: { currentState: 'LOST_PAYOUTS', allowedActions: [] },
  });

type ReleaseOptions = { readonly anyway?: boolean; readonly acceptLostPayouts?: boolean };

export const paymentHoldRoutes = (parts: Parts): Route[] => {
  const { submit, holds, beginHold, adoption, unexplained, lostPayouts, hasLedger, compareNow } = parts;

  const missingIn = (hold: PaymentHold | null): Comparison[] =>
    COMPARISONS.filter((what) => hold !== null && !isCompared(hold, what) && (hasLedger || what !== 'ledger'));

  const shown = async () => {
    const hold = await holds.ofDeployment();
    const missing = missingIn(hold);
    const wallets = await holds.wallets(WALLETS_MAX);
    const current = hold?.held ? hold : null;
    return {
      held: current !== null,
      reason: current?.reason ?? null,
      heldBy: current?.heldBy ?? null,
      since: current?.since ?? null,
      ledgerCompared: !missing.includes('ledger'),
      payoutsCompared: !missing.includes('payouts'),
      lostPayouts: await lostPayouts.count(),
      wallets: wallets.map(presentWallet),
    };
  };

  /** What was accepted is booked at once; otherwise before the wallet pays again. */
  const releaseWallet = async (context: Context, walletId: string): Promise<void> => {
    const wallet = await holds.wallet(walletId);
    if (!wallet) throw notHeld(walletId);
    const { marketplaceId, address: source, transactions } = wallet;
    const closeBreaks = async (): Promise<void> => {
      for (const { hash, payments } of transactions) {
        await unexplained.accept({ marketplaceId, hash, payments: payments.length });
      }
    };
    // Before the release: after it the wallet is no longer held, and a repeated request could not close what a crash left open.
    await closeBreaks();
    const of = { command: releasePayments, input: { id: walletId }, context: { ...context, marketplaceId } };
    await runCommand(submit, of);
    await adoption.adopt({ marketplaceId, source });
    // A comparison that read the ledger before the release may have opened them again; it has ended now.
    await closeBreaks();
  };

  const releaseAll = async (context: Context, { anyway, acceptLostPayouts }: ReleaseOptions): Promise<void> => {
    const hold = await holds.ofDeployment();
    const missing = missingIn(hold);
    if (missing.length > 0) compareNow();
    if (hold?.held && missing.length > 0 && !anyway) throw notCompared(missing);
    const lost = acceptLostPayouts ? 0 : await lostPayouts.count();
    if (hold?.held && lost > 0) throw notAccepted(lost);
    const of = { command: releasePayments, input: { id: ALL_PAYMENTS } };
    await runCommand(submit, { ...of, context: { ...context, marketplaceId: DEFAULT_MARKETPLACE } });
    if (acceptLostPayouts) await lostPayouts.acceptAll();
  };

  return [
    read(api.getPaymentHold, shown),
    act(api.holdPayments, async ({ body, context }) => {
      await beginHold({ reason: body.reason, context });
      compareNow();
      return shown();
    }),
    act(api.releasePayments, async ({ body: { walletId, ...options }, context }) => {
      if (walletId === undefined) await releaseAll(context, options);
      else await releaseWallet(context, walletId);
      return shown();
    }),
  ];
};
