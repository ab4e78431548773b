// Pays a withdrawal through the payment provider: the payout is made there without a commitment, written down, and only then
// committed. So whatever is refused or lost on the way, nothing is given back here before the provider has let go of it.

import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { PaymentProvider, Payout } from '../../providers/ports.ts';
import type { OpenFloat } from '../float/payment-float.ts';
import { takePayout } from './apply-payout.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { misfitted, newsOf, timedOut, unreadable } from './payout-answers.ts';
import { callOffWithdrawal } from './request-cancel.ts';
import { isEnded, type Refusal, type Withdrawal } from './withdrawal.ts';

type Provider = Pick<
  PaymentProvider,
  'createPayout' | 'commitPayout' | 'cancelPayout' | 'getPayout' | 'findPayoutByCode'
>;

export type ProviderPayoutOptions = {
  readonly submit: Submit;
  readonly payment: Provider;
  readonly openFloat: OpenFloat;
  /** Where users see to what the provider asks of them. */
  readonly actionUrl: string | null;
};

/** One that was asked for in vain is what it has become meanwhile. */
type Made = { readonly payout: Payout } | { readonly ended: Withdrawal };

const NOTES = 'Withdrawal';

export const createProviderPayout = ({ submit, payment, openFloat, actionUrl }: ProviderPayoutOptions) => {
  const run = <Input, Reply>(context: Context, command: Command<Input, Reply>, input: Input): Promise<Reply> =>
    runCommand(submit, { command, input, context });

  const take = async (context: Context, withdrawal: Withdrawal, payout: Payout): Promise<Withdrawal> => {
    const input = { withdrawalId: withdrawal.id, news: newsOf(payout, actionUrl) };
    const taken = await run(context, takePayout, input);
    if (taken.outcome === 'mismatch') throw misfitted(withdrawal, taken.reason ?? '');
    return taken.withdrawal;
  };

  const fail = (context: Context, { id }: Withdrawal, { reason, code }: Refusal): Promise<Withdrawal> =>
    run(context, failWithdrawal, { withdrawalId: id, reason, code });

  /** Made over another amount and not committed: nobody will be paid by it, once it is cancelled. */
  const callOffMisfit = async (context: Context, withdrawal: Withdrawal): Promise<Made> => {
    const found = await payment.findPayoutByCode(withdrawal.id);
    if (found.kind !== 'yes' || found.value === null) throw timedOut(withdrawal, 'The provider made something else.');
    // The odd answer was only an answer.
    if (found.value.amount === withdrawal.amount) return { payout: found.value };
    const canceled = await payment.cancelPayout(found.value.id);
    if (canceled.kind !== 'yes') throw timedOut(withdrawal, canceled.reason);
    const why = { reason: 'The provider made it over another amount.', code: 'MISMATCH' };
    return { ended: await fail(context, withdrawal, why) };
  };

  /** The provider knows it by our id, so one that it has already is the answer to asking again. */
  const make = async (context: Context, withdrawal: Withdrawal): Promise<Made> => {
    await openFloat();
    const { id: code, amount, email } = withdrawal;
    const made = await payment.createPayout({ code, amount, email: email ?? '', notes: NOTES, commit: false });
    if (made.kind === 'yes') return { payout: made.value };
    // Nothing is there under our id, and whatever were to be made late would not be committed.
    if (made.kind === 'no') return { ended: await fail(context, withdrawal, made) };
    if (made.code === 'mismatch') return callOffMisfit(context, withdrawal);
    throw timedOut(withdrawal, made.reason);
  };

  const look = async (withdrawal: Withdrawal, payoutId: string): Promise<Payout> => {
    const found = await payment.getPayout(payoutId);
    if (found.kind === 'unknown') throw timedOut(withdrawal, found.reason);
    if (found.kind === 'no') throw unreadable(withdrawal, found.reason);
    if (found.value === null) throw unreadable(withdrawal, 'it does not know it any more.');
    return found.value;
  };

  /** Refused, but it is there and an earlier commitment may still come through: it is over when the provider says so. */
  const callOff = async (context: Context, withdrawal: Withdrawal, payout: Payout): Promise<Withdrawal> => {
    const canceled = await payment.cancelPayout(payout.id);
    if (canceled.kind === 'yes') return take(context, withdrawal, canceled.value);
    if (canceled.kind === 'unknown') throw timedOut(withdrawal, canceled.reason);
    const now = await take(context, withdrawal, await look(withdrawal, payout.id));
    if (isEnded(now) || now.status !== 'WITHDRAWAL_COMMITTED') return now;
    throw timedOut(withdrawal, canceled.reason);
  };

  const commit = async (context: Context, withdrawal: Withdrawal, payout: Payout): Promise<Withdrawal> => {
    if (withdrawal.refusal) return callOff(context, withdrawal, payout);
    const committed = await payment.commitPayout(payout.id);
    if (committed.kind === 'unknown') throw timedOut(withdrawal, committed.reason);
    if (committed.kind === 'no') {
      const { reason, code } = committed;
      const input = { withdrawalId: withdrawal.id, refusal: { reason, code } };
      return callOff(context, await run(context, callOffWithdrawal, input), payout);
    }
    // That it is committed is known; what became of it since may be heard later.
    const after = await payment.getPayout(payout.id);
    return after.kind === 'yes' && after.value ? take(context, withdrawal, after.value) : withdrawal;
  };

  /** Carries it on from wherever it is. */
  return async (context: Context, withdrawal: Withdrawal): Promise<Withdrawal> => {
    const { providerPayoutId } = withdrawal;
    const made: Made =
      providerPayoutId === null
        ? await make(context, withdrawal)
        : { payout: await look(withdrawal, providerPayoutId) };
    if ('ended' in made) return made.ended;
    const { payout } = made;
    const now = await take(context, withdrawal, payout);
    const isWaiting = payout.state === 'WITHDRAWAL_CREATED' && now.status === 'WITHDRAWAL_COMMITTED';
    return isWaiting ? commit(context, now, payout) : now;
  };
};

export type PayOut = ReturnType<typeof createProviderPayout>;

/** Where there is no provider any more: what was committed waits for one. */
export const nobodyPays: PayOut = async (_, withdrawal) => {
  throw timedOut(withdrawal, 'There is no payment provider here. Set PAYMENT_PROVIDER_URL.');
};
