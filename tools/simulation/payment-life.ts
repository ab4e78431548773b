// Lives a top-up or a withdrawal: it is asked for, and the payer or the provider does with it what was planned. What is left
// open then is brought to an end when all faults are over.

import type { CallOptions, TopUp, Withdrawal } from '@holdfast/sdk';
import type { Actor } from './actors.ts';
import { type TopupLife, type TopupMove, textOf, type WithdrawalLife } from './lives.ts';
import { beginOf, type Lived } from './records.ts';

const TOPUP_ENDS: readonly string[] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];
const WITHDRAWAL_ENDS: readonly string[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

const isEnd = (status: string): boolean => TOPUP_ENDS.includes(status) || WITHDRAWAL_ENDS.includes(status);

/** Keeps an end that a client was told: it must still be that in the end. */
const ask = async <Made extends TopUp | Withdrawal>(
  lived: Lived<TopupLife | WithdrawalLife>,
  of: { actor: Actor; call: string; work: () => Promise<Made> },
): Promise<Made | null> => {
  const told = await of.actor.ask({ tag: lived.life.tag, call: of.call }, of.work);
  if (told.outcome !== 'acknowledged') return null;
  lived.done.add(of.call);
  lived.id = told.value.id;
  if (isEnd(told.value.status)) lived.end = told.value.status;
  return told.value;
};

const PAYS: readonly TopupMove[] = ['confirm', 'process'];

const moveTopup = async (lived: Lived<TopupLife>, { actor, move }: { actor: Actor; move: TopupMove }) => {
  const id = lived.id!;
  const { topups } = actor.clientOf(lived.life);
  // Nobody pays on a page that they were not led to: behind it may be another sum, which the server has not got rid of yet.
  const isShown = async () => (await actor.look(() => topups.get(id)))?.confirmationUri != null;
  if (PAYS.includes(move) && !(await isShown())) return;
  if (move === 'api-cancel') await ask(lived, { actor, call: 'cancel top-up', work: () => topups.cancel(id) });
  else if (move === 'refresh') await ask(lived, { actor, call: 'refresh top-up', work: () => topups.refresh(id) });
  else if (move === 'follow') await actor.follow(topups.callbackUrl(id));
  else await actor.simulators.sendControl(`POST /payins/${id}/${move}`);
};

/** Makes it, or asks with the same key again what became of an attempt that was not answered. */
const make = async (
  lived: Lived<TopupLife | WithdrawalLife>,
  of: { actor: Actor; call: string; work: (options: CallOptions) => Promise<TopUp | Withdrawal> },
): Promise<void> => {
  const options = lived.key === null ? {} : { idempotencyKey: lived.key };
  const told = await of.actor.ask({ tag: lived.life.tag, call: of.call }, () => of.work(options));
  if (lived.made !== 'unknown' || told.outcome === 'acknowledged') lived.made = told.outcome;
  if (told.outcome === 'acknowledged') {
    lived.id = told.value.id;
    return;
  }
  const { details, idempotencyKey } = told.error;
  // Where the provider left it open or refused, the answer names the record.
  const named = details.topupId ?? details.withdrawalId;
  if (named !== undefined) lived.id = String(named);
  else if (told.outcome === 'unknown') lived.key = idempotencyKey;
};

const makeTopup = (lived: Lived<TopupLife>, actor: Actor): Promise<void> => {
  const { life } = lived;
  const userId = actor.people.of[life.place]![life.user]!.id;
  const currency = life.currency === 'USDC' ? 'USDC' : 'USD';
  const body = { userId, amount: textOf(life.cents), currency, description: life.tag } as const;
  const { topups } = actor.clientOf(life);
  return make(lived, { actor, call: 'create top-up', work: (options) => topups.create(body, options) });
};

export const liveTopup = async (life: TopupLife, actor: Actor): Promise<void> => {
  const lived = beginOf(life);
  actor.begin(lived);
  await makeTopup(lived, actor);
  if (lived.id === null) return;
  for (const move of life.moves) await moveTopup(lived, { actor, move });
};

/** When nothing misbehaves any more: looks at it, and calls off what nobody paid. */
export const endTopup = async (lived: Lived<TopupLife>, actor: Actor): Promise<void> => {
  if (lived.id === null && lived.key !== null) await makeTopup(lived, actor);
  if (lived.id === null) return;
  const id = lived.id;
  const { topups } = actor.clientOf(lived.life);
  const seen = await actor.look(() => topups.get(id));
  if (!seen) return;
  if (!TOPUP_ENDS.includes(seen.status))
    await ask(lived, { actor, call: 'refresh top-up', work: () => topups.refresh(id) });
  const then = await actor.look(() => topups.get(id));
  if (then?.status === 'TOPUP_PROCESSING') await actor.simulators.sendControl(`POST /payins/${id}/confirm`);
  if (then?.status === 'TOPUP_AWAITING_USER_CONFIRMATION') {
    await ask(lived, { actor, call: 'cancel top-up', work: () => topups.cancel(id) });
  }
  lived.hasEnded = then !== null && TOPUP_ENDS.includes(then.status);
};

const destinationOf = (life: WithdrawalLife, { simulators }: Actor) => {
  const common = { type: life.to, ref: life.tag };
  return life.to === 'crypto' ? { ...common, address: simulators.facts.stranger } : common;
};

const makeWithdrawal = (lived: Lived<WithdrawalLife>, actor: Actor): Promise<void> => {
  const { life } = lived;
  const userId = actor.people.of[life.place]![life.user]!.id;
  const body = {
    userId,
    amount: textOf(life.cents),
    currency: life.currency,
    destination: destinationOf(life, actor),
    commit: life.commit === 'at-once',
  };
  const { withdrawals } = actor.clientOf(life);
  return make(lived, { actor, call: 'create withdrawal', work: (options) => withdrawals.create(body, options) });
};

export const liveWithdrawal = async (life: WithdrawalLife, actor: Actor): Promise<void> => {
  const lived = beginOf(life);
  actor.begin(lived);
  await makeWithdrawal(lived, actor);
  const { withdrawals } = actor.clientOf(life);
  const { id } = lived;
  if (id === null) return;
  if (life.commit === 'later') {
    await ask(lived, { actor, call: 'commit withdrawal', work: () => withdrawals.commit(id) });
  }
  if (life.commit === 'never') return;
  for (const move of life.moves) {
    if (move === 'refresh') {
      await ask(lived, { actor, call: 'refresh withdrawal', work: () => withdrawals.refresh(id) });
    } else if (life.to !== 'crypto') await actor.simulators.sendControl(`POST /payouts/${id}/${move}`);
  }
};

/** When nothing misbehaves any more: commits what was to be committed, and the provider pays. */
export const endWithdrawal = async (lived: Lived<WithdrawalLife>, actor: Actor): Promise<void> => {
  const { life } = lived;
  if (lived.id === null && lived.key !== null) await makeWithdrawal(lived, actor);
  const { id } = lived;
  if (id === null) return;
  const { withdrawals } = actor.clientOf(life);
  const seen = await actor.look(() => withdrawals.get(id));
  if (!seen) return;
  if (seen.status === 'WITHDRAWAL_CREATED') {
    if (life.commit === 'never') {
      lived.hasEnded = true;
      return;
    }
    await ask(lived, { actor, call: 'commit withdrawal', work: () => withdrawals.commit(id) });
  }
  if (!WITHDRAWAL_ENDS.includes(seen.status)) {
    if (life.to !== 'crypto') await actor.simulators.sendControl(`POST /payouts/${id}/complete`);
    await ask(lived, { actor, call: 'refresh withdrawal', work: () => withdrawals.refresh(id) });
  }
  const then = await actor.look(() => withdrawals.get(id));
  lived.hasEnded = then !== null && WITHDRAWAL_ENDS.includes(then.status);
};
