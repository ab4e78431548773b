// Carries top-ups out with the payment provider: asks for the payment, looks at what became of it, cancels it. The row is
// there before the first call, and what is not known stays as it is until somebody has looked.

import { isDomainError } from '../../base/domain-error.ts';
import { fewAtOnce } from '../../base/few-at-once.ts';
import { step } from '../../base/machine.ts';
import { type Command, type Context, runCommand, type Submit } from '../../commit/command.ts';
import type { Answer, Payin, PaymentProvider } from '../../providers/ports.ts';
import type { OpenFloat } from '../float/payment-float.ts';
import { takePayin } from './apply-payin.ts';
import { type CreateTopUpInput, createTopUp } from './create-topup.ts';
import { TOPUP_MACHINE } from './machine.ts';
import { lost, misfitted, newsOf, nobody, refused, timedOut } from './payin-answers.ts';
import { plainNews } from './payin-update.ts';
import type { TopUpLooks } from './poll-times.ts';
import type { PlacedTopUp } from './queries.ts';
import { askTopUpCancel } from './request-cancel.ts';
import { isEnded, type TopUp } from './topup.ts';

type Provider = Pick<PaymentProvider, 'createPayin' | 'getPayin' | 'findPayinByCode' | 'cancelPayin'>;

export type TopUpsOptions = {
  readonly submit: Submit;
  /** Null: there is none, so nothing can be asked. */
  readonly payment: Provider | null;
  readonly looks: TopUpLooks;
  readonly openFloat: OpenFloat;
  /** Where the provider sends the payer back to; null while nobody could be received there. */
  callbackUrl(topupId: string): string | null;
  onTrouble(message: string, error: unknown): void;
};

export type TopUps = ReturnType<typeof createTopUps>;

const DUE_MAX = 200;
const LOOKS_AT_ONCE = 4;
/** So many in a row without an answer: the provider is away, and asking about the rest would only wait. */
const SILENT_MAX = 8;
const DESCRIPTION = 'Top-up';

const whyFailed = ({ failureReason, errorCode }: TopUp): { reason: string; code: string | null } => ({
  reason: failureReason ?? 'It gave no reason.',
  code: errorCode,
});

export const createTopUps = (options: TopUpsOptions) => {
  const { submit, looks, onTrouble } = options;
  const looking = new Map<string, Promise<TopUp>>();
  let closed = false;

  const run = <Input, Reply>(context: Context, command: Command<Input, Reply>, input: Input): Promise<Reply> =>
    runCommand(submit, { command, input, context });

  const provider = (): Provider => {
    if (options.payment) return options.payment;
    throw nobody();
  };

  const take = async (context: Context, topup: TopUp, payin: Payin): Promise<TopUp> => {
    const taken = await run(context, takePayin, { topupId: topup.id, news: newsOf(payin) });
    if (taken.outcome === 'misfit') throw misfitted(topup, taken.reason ?? '');
    return taken.topup;
  };

  /** Made over another amount: nobody may pay that one. It is cancelled, and then the top-up has certainly failed. */
  const callOff = async (context: Context, topup: TopUp): Promise<TopUp> => {
    const found = await provider().findPayinByCode(topup.id);
    if (found.kind !== 'yes' || found.value === null) throw timedOut(topup, 'The provider made something else.');
    // The odd answer was only an answer.
    if (found.value.amount === topup.amount) return take(context, topup, found.value);
    const canceled = await provider().cancelPayin(found.value.id);
    if (canceled.kind !== 'yes') throw timedOut(topup, canceled.reason);
    return fail(context, topup, { reason: 'The provider made it over another amount.', code: 'MISMATCH' });
  };

  const fail = async (context: Context, topup: TopUp, why: { reason: string; code: string | null }): Promise<TopUp> => {
    const news = plainNews('TOPUP_FAILED', { reason: why.reason, errorCode: why.code });
    const taken = await run(context, takePayin, { topupId: topup.id, news });
    // Somebody else may have heard better news meanwhile.
    if (taken.topup.status !== 'TOPUP_FAILED') return taken.topup;
    throw refused(topup, why);
  };

  /** Asks for the payment. The provider knows it by our id, so one that it has already is the answer to asking again. */
  const begin = async (context: Context, topup: TopUp): Promise<TopUp> => {
    const payment = provider();
    const url = options.callbackUrl(topup.id);
    if (url === null) throw timedOut(topup, 'This server does not listen yet.');
    await options.openFloat();
    const { id: code, amount } = topup;
    const description = topup.description ?? DESCRIPTION;
    const made = await payment.createPayin({ code, amount, description, returnUrl: url, cancelUrl: url });
    if (made.kind === 'yes') return take(context, topup, made.value);
    if (made.kind === 'no') return fail(context, topup, made);
    if (made.code === 'mismatch') return callOff(context, topup);
    throw timedOut(topup, made.reason);
  };

  const ask = ({ id, providerPayinId }: TopUp): Promise<Answer<Payin | null>> =>
    providerPayinId === null ? provider().findPayinByCode(id) : provider().getPayin(providerPayinId);

  const askAbout = async (context: Context, topup: TopUp): Promise<TopUp> => {
    const found = await ask(topup);
    if (found.kind === 'unknown') throw timedOut(topup, found.reason);
    if (found.kind === 'no') throw refused(topup, found);
    if (found.value === null) throw lost(topup);
    return take(context, topup, found.value);
  };

  /** Whoever asks while it is being looked at waits for the same look. */
  const look = async (context: Context, topup: TopUp): Promise<TopUp> => {
    if (isEnded(topup)) return topup;
    const known = looking.get(topup.id);
    if (known) return known;
    const carriedOn = topup.status === 'TOPUP_CREATED' ? begin(context, topup) : askAbout(context, topup);
    const looked = carriedOn.finally(() => looking.delete(topup.id));
    looking.set(topup.id, looked);
    return looked;
  };

  /** What it refuses with is not whether the top-up is cancelled: that is looked at. */
  const notCanceled = async (context: Context, topup: TopUp, why: { reason: string; code: string | null }) => {
    const now = await look(context, topup);
    if (now.status === 'TOPUP_CANCELED') return now;
    step(TOPUP_MACHINE, { from: now.status, on: 'cancel' });
    throw refused(now, why);
  };

  const lookQuietly = async ({ marketplaceId, topup }: PlacedTopUp): Promise<'answered' | 'silent'> => {
    const actor = { type: 'system', id: 'refresh-topups' } as const;
    const context = { marketplaceId, actor, requestId: topup.id };
    try {
      // One that is over is here only for what the provider kept of it.
      if (isEnded(topup)) await askAbout(context, topup);
      else await look(context, topup);
      return 'answered';
    } catch (error) {
      if (isDomainError(error) && error.code === 'PROVIDER_TIMEOUT') return 'silent';
      onTrouble('a top-up could not be refreshed; it is looked at again', error);
      return 'answered';
    }
  };

  return {
    async create({ context, ...input }: CreateTopUpInput & { readonly context: Context }): Promise<TopUp> {
      provider();
      const topup = await run(context, createTopUp, input);
      // Asked for again after it had been refused: that is still the answer.
      if (topup.status === 'TOPUP_FAILED') throw refused(topup, whyFailed(topup));
      return look(context, topup);
    },

    /** What the provider says of it now. One that is over is not asked about. */
    look,

    async cancel(context: Context, ask: { readonly topupId: string; readonly reason: string | null }): Promise<TopUp> {
      const payment = provider();
      const topup = await run(context, askTopUpCancel, ask);
      const canceled = await payment.cancelPayin(topup.providerPayinId ?? '');
      if (canceled.kind === 'yes') return take(context, topup, canceled.value);
      if (canceled.kind === 'no') return notCanceled(context, topup, canceled);
      await looks.lookSoon(context.marketplaceId, topup.id);
      throw timedOut(topup, canceled.reason);
    },

    isLooking: (topupId: string): boolean => looking.has(topupId),

    /** Those that nobody has told us about for a while, a bounded number of them. */
    async refreshDue(): Promise<void> {
      if (!options.payment) return;
      let silent = 0;
      await fewAtOnce(await looks.takeDue(DUE_MAX), {
        atOnce: LOOKS_AT_ONCE,
        async work(placed) {
          silent = (await lookQuietly(placed)) === 'silent' ? silent + 1 : 0;
        },
        isOver: () => closed || silent >= SILENT_MAX,
      });
    },

    /** Waits for what is under way; the rest is found in its rows. */
    async close(): Promise<void> {
      closed = true;
      await Promise.allSettled(looking.values());
    },
  };
};
