// Credits, top-ups and withdrawals with a journal: each has an Idempotency-Key of its own and is repeated until it is
// acknowledged; the payer pays and the provider pays out, and then it is only waited for. No client requests a refresh.

import { randomUUID } from 'node:crypto';
import { type Holdfast, HoldfastError } from '@holdfast/sdk';
import { PASSING } from './load.ts';
import { AGAIN_S, noteRefusal, type Refusals, refuseAfterEnd } from './order-scenarios.ts';
import type { Simulators } from './sandbox.ts';
import { forSeconds } from './stage.ts';

export const TOPUP_CENTS = 500n;
export const WITHDRAWAL_CENTS = 100n;
export const CREDIT_CENTS = 1n;

export type PaymentLife = { readonly userId: string; readonly id: string; readonly end: string };

export type Parties = {
  readonly client: Holdfast;
  readonly simulators: Pick<Simulators, 'sendControl' | 'stranger'>;
  readonly refusals: Refusals;
  isOver(): boolean;
};

/** Repeats the work while it is refused for a passing reason. Any other error ends the drill. */
export const untilAnswered = async <T>(
  { refusals, isOver }: Pick<Parties, 'refusals' | 'isOver'>,
  work: () => Promise<T>,
): Promise<T> => {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isPassing = error instanceof HoldfastError && [...PASSING, 'PROVIDER_TIMEOUT'].includes(error.code);
      if (!isPassing) throw error;
      refuseAfterEnd(isOver);
      noteRefusal(refusals, error);
      await forSeconds(AGAIN_S);
    }
  }
};

/** `id` is the reference that its postings carry. */
export const liveCredit = async (parties: Parties, userId: string): Promise<PaymentLife> => {
  const reference = randomUUID();
  const idempotencyKey = randomUUID();
  await untilAnswered(parties, () =>
    parties.client.balances.credit(userId, { amount: '0.01', reference }, { idempotencyKey }),
  );
  return { userId, id: reference, end: 'CREDITED' };
};

/** The jobs of every minute may have to look twice. */
const PATIENCE_MS = 240_000;

const patienceFor = (id: string): (() => void) => {
  const end = performance.now() + PATIENCE_MS;
  return () => {
    if (performance.now() > end) throw new Error(`${id} did not come to its end within ${PATIENCE_MS / 1_000} s`);
  };
};

const TOPUP_ENDS: readonly string[] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];
const WITHDRAWAL_ENDS: readonly string[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

export const newTopup = (parties: Parties, userId: string): Promise<string> => {
  const idempotencyKey = randomUUID();
  const ask = { userId, amount: '5.00' };
  return untilAnswered(parties, async () => (await parties.client.topups.create(ask, { idempotencyKey })).id);
};

/** `comesBack`: the payer's browser returns to the shop, as most do; without it only the provider tells of the payment. */
export const payTopup = async (
  parties: Parties,
  of: { userId: string; id: string; comesBack: boolean },
): Promise<PaymentLife> => {
  const { client, simulators } = parties;
  await simulators.sendControl(`POST /payins/${of.id}/confirm`);
  const patience = patienceFor(of.id);
  for (;;) {
    patience();
    if (of.comesBack) await fetch(client.topups.callbackUrl(of.id), { redirect: 'manual' }).catch(() => null);
    const { status } = await untilAnswered(parties, () => client.topups.get(of.id));
    if (TOPUP_ENDS.includes(status)) return { userId: of.userId, id: of.id, end: status };
    await forSeconds(AGAIN_S);
  }
};

export const liveWithdrawal = async (
  parties: Parties,
  of: { userId: string; to: 'crypto' | 'payment_account' },
): Promise<PaymentLife> => {
  const { client, simulators } = parties;
  const idempotencyKey = randomUUID();
  const destination = of.to === 'crypto' ? { type: of.to, address: simulators.stranger } : { type: of.to };
  const ask = { userId: of.userId, amount: '1.00', currency: 'USD', destination, commit: true } as const;
  const { id } = await untilAnswered(parties, () => client.withdrawals.create(ask, { idempotencyKey }));
  const patience = patienceFor(id);
  for (;;) {
    patience();
    const { status } = await untilAnswered(parties, () => client.withdrawals.get(id));
    if (WITHDRAWAL_ENDS.includes(status)) return { userId: of.userId, id, end: status };
    // Nothing to complete yet where the provider has not heard of it.
    if (of.to !== 'crypto') await simulators.sendControl(`POST /payouts/${id}/complete`);
    await forSeconds(AGAIN_S);
  }
};
