// Pays a withdrawal through the payment provider: creates the payout uncommitted, stores its id, and only then commits it. Money
// goes back to the balance only after the provider has made clear that it will not pay.

import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { PaymentAccounts, PaymentProvider, Payout } from '../../providers/ports.ts';
import type { OpenFloatOfPayment } from '../float/open-float.ts';
import { applyPayout } from './apply-payout.ts';
import { failUnlessPaying, recordRefusal } from './end-withdrawal.ts';
import { isAmountCertain, mismatched, timedOut, unreadable, updateOf } from './payout-update.ts';
import { isEnded, type Refusal, type Withdrawal } from './withdrawal.ts';

export type WhyHeld = (of: Target) => Promise<string | null>;

type ProviderPayoutOptions = {
  readonly submit: Submit;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  readonly openFloat: OpenFloatOfPayment;
  /** Why this withdrawal may not be paid now; null when it may. */
  readonly whyHeld: WhyHeld;
  /** Where users complete the actions that the provider requires. */
  readonly actionUrl: string | null;
};

export type PayOut = (context: Context, withdrawal: Withdrawal) => Promise<Withdrawal>;

type Target = { readonly context: Context; readonly withdrawal: Withdrawal };

/** `ended`: the payout was not created, and this is the withdrawal's current state. */
type Created = { readonly payout: Payout } | { readonly ended: Withdrawal };

const NOTES = 'Withdrawal';

const createSteps = ({ submit, accounts, actionUrl }: ProviderPayoutOptions) => {
  /** Without a provider a committed withdrawal waits until one is set. */
  const paymentOf = async ({ context: { marketplaceId }, withdrawal }: Target): Promise<PaymentProvider> => {
    const payment = await accounts.of({ marketplaceId, credentialsId: withdrawal.credentialsId });
    if (payment === null) throw timedOut(withdrawal, 'No payment provider is set. Set PAYMENT_PROVIDER_URL.');
    return payment;
  };

  const apply = async (target: Target, payout: Payout): Promise<Withdrawal> => {
    const { context, withdrawal } = target;
    const isCertain = await isAmountCertain({ payment: await paymentOf(target), withdrawal }, payout);
    const update = updateOf(payout, { actionUrl, isAmountCertain: isCertain });
    const input = { withdrawalId: withdrawal.id, update };
    const applied = await runCommand(submit, { command: applyPayout, input, context });
    if (applied.outcome === 'mismatch') throw mismatched(withdrawal, applied.reason ?? '');
    return applied.withdrawal;
  };

  const fail = (target: Target, { reason, code }: Refusal): Promise<Withdrawal> =>
    failUnlessPaying(submit, { ...target, reason, code });

  const read = async (target: Target, payoutId: string): Promise<Payout> => {
    const { withdrawal } = target;
    const payment = await paymentOf(target);
    const found = await payment.getPayout(payoutId);
    if (found.kind === 'unknown') throw timedOut(withdrawal, found.reason);
    if (found.kind === 'no') throw unreadable(withdrawal, found.reason);
    if (found.value === null) throw unreadable(withdrawal, 'it no longer knows the payout.');
    return found.value;
  };

  return { paymentOf, apply, fail, read };
};

type Steps = ReturnType<typeof createSteps>;

/** Creates the payout at the provider, uncommitted. */
const createCreation = ({ openFloat, whyHeld }: ProviderPayoutOptions, { paymentOf, fail }: Steps) => {
  /** While payments are on hold a payout is only looked up: a database that is older than the provider may have forgotten it. */
  const findHeld = async (target: Target, reason: string): Promise<Created> => {
    const { withdrawal } = target;
    const found = await (await paymentOf(target)).findPayoutByCode(withdrawal.id);
    if (found.kind === 'yes' && found.value !== null) return { payout: found.value };
    throw timedOut(withdrawal, `Payments are on hold: ${reason}`);
  };

  /** Cancels a payout over another amount. It is not committed, so after the cancellation the provider cannot pay it. */
  const cancelMismatch = async (target: Target): Promise<Created> => {
    const { withdrawal } = target;
    const payment = await paymentOf(target);
    const found = await payment.findPayoutByCode(withdrawal.id);
    if (found.kind !== 'yes' || found.value === null) {
      throw timedOut(withdrawal, 'The provider created a different payout.');
    }
    // Only the first answer was wrong, not the payout.
    if (found.value.amount === withdrawal.amount) return { payout: found.value };
    const canceled = await payment.cancelPayout(found.value.id);
    if (canceled.kind !== 'yes') throw timedOut(withdrawal, canceled.reason);
    const refusal = { reason: 'The provider created the payout with another amount.', code: 'MISMATCH' };
    return { ended: await fail(target, refusal) };
  };

  /** The provider knows the payout by our id, so a repeated request finds the first one. */
  return async (target: Target): Promise<Created> => {
    const held = await whyHeld(target);
    if (held !== null) return findHeld(target, held);
    const payment = await paymentOf(target);
    const { id: code, amount, email, credentialsId, providerAccount } = target.withdrawal;
    await openFloat({ marketplaceId: target.context.marketplaceId, credentialsId, providerAccount });
    const created = await payment.createPayout({ code, amount, email: email ?? '', notes: NOTES, commit: false });
    if (created.kind === 'yes') return { payout: created.value };
    // No payout has our id. A payout that is created late is not committed.
    if (created.kind === 'no') return { ended: await fail(target, created) };
    if (created.code === 'mismatch') return cancelMismatch(target);
    throw timedOut(target.withdrawal, created.reason);
  };
};

/** Commits a payout that the provider has and that is not committed yet. */
const createCommitment = ({ submit, whyHeld }: ProviderPayoutOptions, { paymentOf, apply, read }: Steps) => {
  /** The commitment was refused, but an earlier one may still succeed: the payout has ended only when the provider says so. */
  const cancel = async (target: Target, payout: Payout): Promise<Withdrawal> => {
    const { withdrawal } = target;
    const payment = await paymentOf(target);
    const canceled = await payment.cancelPayout(payout.id);
    if (canceled.kind === 'yes') return apply(target, canceled.value);
    if (canceled.kind === 'unknown') throw timedOut(withdrawal, canceled.reason);
    const now = await apply(target, await read(target, payout.id));
    if (isEnded(now) || now.status !== 'WITHDRAWAL_COMMITTED') return now;
    throw timedOut(withdrawal, canceled.reason);
  };

  return async (target: Target, payout: Payout): Promise<Withdrawal> => {
    const { context, withdrawal } = target;
    if (withdrawal.refusal) return cancel(target, payout);
    const held = await whyHeld(target);
    if (held !== null) throw timedOut(withdrawal, `Payments are on hold: ${held}`);
    const payment = await paymentOf(target);
    const committed = await payment.commitPayout(payout.id);
    if (committed.kind === 'unknown') throw timedOut(withdrawal, committed.reason);
    if (committed.kind === 'no') {
      const { reason, code } = committed;
      const input = { withdrawalId: withdrawal.id, refusal: { reason, code } };
      const recorded = await runCommand(submit, { command: recordRefusal, input, context });
      return cancel({ context, withdrawal: recorded }, payout);
    }
    // The payout is committed. When it cannot be read now, a webhook or a poll reports the rest.
    const after = await payment.getPayout(payout.id);
    return after.kind === 'yes' && after.value ? apply(target, after.value) : withdrawal;
  };
};

export type ProviderPayouts = {
  /** Continues the payout from its stored state. */
  readonly pay: PayOut;
  /** Reads a payout that the provider has made, and applies it to its withdrawal. */
  adopt(target: Target, payoutId: string): Promise<Withdrawal>;
};

export const createProviderPayouts = (options: ProviderPayoutOptions): ProviderPayouts => {
  const steps = createSteps(options);
  const create = createCreation(options, steps);
  const commit = createCommitment(options, steps);
  return {
    async pay(context, withdrawal) {
      const { providerPayoutId } = withdrawal;
      const created: Created =
        providerPayoutId === null
          ? await create({ context, withdrawal })
          : { payout: await steps.read({ context, withdrawal }, providerPayoutId) };
      if ('ended' in created) return created.ended;
      const { payout } = created;
      const now = await steps.apply({ context, withdrawal }, payout);
      const isUncommitted = payout.state === 'WITHDRAWAL_CREATED' && now.status === 'WITHDRAWAL_COMMITTED';
      return isUncommitted ? commit({ context, withdrawal: now }, payout) : now;
    },
    adopt: async (target, payoutId) => steps.apply(target, await steps.read(target, payoutId)),
  };
};
