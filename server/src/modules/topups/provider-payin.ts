// The requests of a top-up to the payment provider: create the pay-in, read it, cancel it. Each applies the answer to the
// top-up. A top-up fails only after the provider made clear that it cannot be paid.

import { type Answer, yes } from '../../base/answer.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Payin, PaymentAccounts, PaymentProvider } from '../../providers/ports.ts';
import type { OpenFloatOfPayment } from '../float/open-float.ts';
import { applyPayin } from './apply-payin.ts';
import {
  failedUpdate,
  mismatched,
  noProvider,
  type ProviderRefusal,
  refused,
  timedOut,
  unknownToProvider,
  updateOf,
} from './payin-update.ts';
import type { TopUp } from './topup.ts';

export type ProviderPayinOptions = {
  readonly submit: Submit;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
  readonly openFloat: OpenFloatOfPayment;
  /** Where the provider sends the payer back to; null while this server does not listen. */
  callbackUrl(topupId: string): string | null;
};

type Target = { readonly context: Context; readonly topup: TopUp };

const DESCRIPTION = 'Top-up';

export const createProviderPayin = ({ submit, accounts, openFloat, callbackUrl }: ProviderPayinOptions) => {
  const paymentOf = async ({ context: { marketplaceId }, topup }: Target): Promise<PaymentProvider> => {
    const payment = await accounts.of({ marketplaceId, credentialsId: topup.credentialsId });
    if (payment === null) throw noProvider();
    return payment;
  };

  const apply = async ({ context, topup }: Target, payin: Payin): Promise<TopUp> => {
    const input = { topupId: topup.id, update: updateOf(payin) };
    const applied = await runCommand(submit, { command: applyPayin, input, context });
    if (applied.outcome === 'mismatch') throw mismatched(topup, applied.reason ?? '');
    return applied.topup;
  };

  const fail = async ({ context, topup }: Target, refusal: ProviderRefusal): Promise<TopUp> => {
    const input = { topupId: topup.id, update: failedUpdate(refusal) };
    const applied = await runCommand(submit, { command: applyPayin, input, context });
    // Another process may have applied a later update.
    if (applied.topup.status !== 'TOPUP_FAILED') return applied.topup;
    throw refused(topup, refusal);
  };

  /** Cancels a pay-in over another amount, so that it cannot be paid. Only then has the top-up certainly failed. */
  const cancelMismatch = async (target: Target): Promise<TopUp> => {
    const { topup } = target;
    const payment = await paymentOf(target);
    const found = await payment.findPayinByCode(topup.id);
    if (found.kind !== 'yes' || found.value === null) {
      throw timedOut(topup, 'The provider created a different payment.');
    }
    // Only the first answer was wrong, not the pay-in.
    if (found.value.amount === topup.amount) return apply(target, found.value);
    const canceled = await payment.cancelPayin(found.value.id);
    if (canceled.kind !== 'yes') throw timedOut(topup, canceled.reason);
    return fail(target, { reason: 'The provider created the payment with another amount.', code: 'MISMATCH' });
  };

  return {
    /** Creates the pay-in. The provider knows it by our id, so a repeated request finds the first one. */
    async create(target: Target): Promise<TopUp> {
      const { topup } = target;
      const { id: code, amount } = topup;
      const url = callbackUrl(code);
      if (url === null) throw timedOut(topup, 'This server does not listen yet.');
      const payment = await paymentOf(target);
      const { credentialsId, providerAccount } = topup;
      await openFloat({ marketplaceId: target.context.marketplaceId, credentialsId, providerAccount });
      const description = topup.description ?? DESCRIPTION;
      const created = await payment.createPayin({ code, amount, description, returnUrl: url, cancelUrl: url });
      if (created.kind === 'yes') return apply(target, created.value);
      if (created.kind === 'no') return fail(target, created);
      if (created.code === 'mismatch') return cancelMismatch(target);
      throw timedOut(topup, created.reason);
    },

    /** Reads the provider's record of the pay-in. */
    async read(target: Target): Promise<TopUp> {
      const { topup } = target;
      const { id, providerPayinId } = topup;
      const payment = await paymentOf(target);
      const found = await (providerPayinId === null ? payment.findPayinByCode(id) : payment.getPayin(providerPayinId));
      if (found.kind === 'unknown') throw timedOut(topup, found.reason);
      if (found.kind === 'no') throw refused(topup, found);
      if (found.value === null) throw unknownToProvider(topup);
      return apply(target, found.value);
    },

    /** A no means only that this request was refused; the pay-in may be cancelled already. */
    async cancel(target: Target): Promise<Answer<TopUp>> {
      const payment = await paymentOf(target);
      const canceled = await payment.cancelPayin(target.topup.providerPayinId ?? '');
      return canceled.kind === 'yes' ? yes(await apply(target, canceled.value)) : canceled;
    },
  };
};

export type ProviderPayin = ReturnType<typeof createProviderPayin>;
