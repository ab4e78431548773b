// Lives a top-up or a withdrawal: it is asked for, and the payer or the provider does with it what was planned. What is left
// open then is brought to an end when all faults are over.

import type { CallOptions, CreateWithdrawalInput, TopUp, Withdrawal } from '@holdfast/sdk';
import type { Actor } from '../actors.ts';
import { newRecord, type ScenarioRecord } from '../records.ts';
import { type TopupMove, type TopupScenario, textOf, type WithdrawalScenario } from './scenarios.ts';

const TOPUP_ENDS: readonly string[] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];
const WITHDRAWAL_ENDS: readonly string[] = ['WITHDRAWAL_COMPLETED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED'];

const isEnd = (status: string): boolean => TOPUP_ENDS.includes(status) || WITHDRAWAL_ENDS.includes(status);

/** Keeps an end that a client was told: it must still be that in the end. */
const ask = async <Made extends TopUp | Withdrawal>(
  record: ScenarioRecord<TopupScenario | WithdrawalScenario>,
  of: { actor: Actor; call: string; work: () => Promise<Made> },
): Promise<Made | null> => {
  const told = await of.actor.ask({ tag: record.scenario.tag, call: of.call }, of.work);
  if (told.outcome !== 'acknowledged') return null;
  record.done.add(of.call);
  record.id = told.value.id;
  if (isEnd(told.value.status)) record.end = told.value.status;
  return told.value;
};

const PAYS: readonly TopupMove[] = ['confirm', 'process'];

const moveTopup = async (record: ScenarioRecord<TopupScenario>, { actor, move }: { actor: Actor; move: TopupMove }) => {
  const id = record.id!;
  const { topups } = actor.clientOf(record.scenario);
  // A payer pays only on the page that the server shows: an older page may have another amount.
  const isShown = async () => (await actor.look(() => topups.get(id)))?.confirmationUri != null;
  if (PAYS.includes(move) && !(await isShown())) return;
  if (move === 'api-cancel') await ask(record, { actor, call: 'cancel top-up', work: () => topups.cancel(id) });
  else if (move === 'refresh') await ask(record, { actor, call: 'refresh top-up', work: () => topups.refresh(id) });
  else if (move === 'follow') await actor.follow(topups.callbackUrl(id));
  else await actor.simulators.sendControl(`POST /payins/${id}/${move}`);
};

/** Makes it, or asks with the same key again what became of an attempt that was not answered. */
const make = async (
  record: ScenarioRecord<TopupScenario | WithdrawalScenario>,
  of: { actor: Actor; call: string; work: (options: CallOptions) => Promise<TopUp | Withdrawal> },
): Promise<void> => {
  const options = record.key === null ? {} : { idempotencyKey: record.key };
  const told = await of.actor.ask({ tag: record.scenario.tag, call: of.call }, () => of.work(options));
  if (record.made !== 'unknown' || told.outcome === 'acknowledged') record.made = told.outcome;
  if (told.outcome === 'acknowledged') {
    record.id = told.value.id;
    return;
  }
  const { details, idempotencyKey } = told.error;
  // Where the provider left it open or refused, the answer names the record.
  const named = details.topupId ?? details.withdrawalId;
  if (named !== undefined) record.id = String(named);
  else if (told.outcome === 'unknown') record.key = idempotencyKey;
};

const makeTopup = (record: ScenarioRecord<TopupScenario>, actor: Actor): Promise<void> => {
  const { scenario } = record;
  const userId = actor.users.of[scenario.place]![scenario.user]!.id;
  const currency = scenario.currency === 'USDC' ? 'USDC' : 'USD';
  const body = { userId, amount: textOf(scenario.cents), currency, description: scenario.tag } as const;
  const { topups } = actor.clientOf(scenario);
  return make(record, { actor, call: 'create top-up', work: (options) => topups.create(body, options) });
};

export const runTopup = async (scenario: TopupScenario, actor: Actor): Promise<void> => {
  const record = newRecord(scenario);
  actor.begin(record);
  await makeTopup(record, actor);
  if (record.id === null) return;
  for (const move of scenario.moves) await moveTopup(record, { actor, move });
};

/** After the last fault: reads the top-up, and cancels it when it was not paid. */
export const finishTopup = async (record: ScenarioRecord<TopupScenario>, actor: Actor): Promise<void> => {
  if (record.id === null && record.key !== null) await makeTopup(record, actor);
  if (record.id === null) return;
  const id = record.id;
  const { topups } = actor.clientOf(record.scenario);
  const seen = await actor.look(() => topups.get(id));
  if (!seen) return;
  if (!TOPUP_ENDS.includes(seen.status))
    await ask(record, { actor, call: 'refresh top-up', work: () => topups.refresh(id) });
  const then = await actor.look(() => topups.get(id));
  if (then?.status === 'TOPUP_PROCESSING') await actor.simulators.sendControl(`POST /payins/${id}/confirm`);
  if (then?.status === 'TOPUP_AWAITING_USER_CONFIRMATION') {
    await ask(record, { actor, call: 'cancel top-up', work: () => topups.cancel(id) });
  }
  record.hasEnded = then !== null && TOPUP_ENDS.includes(then.status);
};

const destinationOf = (
  { to, tag: ref }: WithdrawalScenario,
  { simulators }: Actor,
): CreateWithdrawalInput['destination'] =>
  to === 'crypto' ? { type: to, ref, address: simulators.facts.stranger } : { type: to, ref };

const makeWithdrawal = (record: ScenarioRecord<WithdrawalScenario>, actor: Actor): Promise<void> => {
  const { scenario } = record;
  const userId = actor.users.of[scenario.place]![scenario.user]!.id;
  const body = {
    userId,
    amount: textOf(scenario.cents),
    currency: scenario.currency,
    destination: destinationOf(scenario, actor),
    commit: scenario.commit === 'at-once',
  };
  const { withdrawals } = actor.clientOf(scenario);
  return make(record, { actor, call: 'create withdrawal', work: (options) => withdrawals.create(body, options) });
};

export const runWithdrawal = async (scenario: WithdrawalScenario, actor: Actor): Promise<void> => {
  const record = newRecord(scenario);
  actor.begin(record);
  await makeWithdrawal(record, actor);
  const { withdrawals } = actor.clientOf(scenario);
  const { id } = record;
  if (id === null) return;
  if (scenario.commit === 'later') {
    await ask(record, { actor, call: 'commit withdrawal', work: () => withdrawals.commit(id) });
  }
  if (scenario.commit === 'never') return;
  for (const move of scenario.moves) {
    if (move === 'refresh') {
      await ask(record, { actor, call: 'refresh withdrawal', work: () => withdrawals.refresh(id) });
    } else if (scenario.to !== 'crypto') await actor.simulators.sendControl(`POST /payouts/${id}/${move}`);
  }
};

/** When nothing misbehaves any more: commits what was to be committed, and the provider pays. */
export const finishWithdrawal = async (record: ScenarioRecord<WithdrawalScenario>, actor: Actor): Promise<void> => {
  const { scenario } = record;
  if (record.id === null && record.key !== null) await makeWithdrawal(record, actor);
  const { id } = record;
  if (id === null) return;
  const { withdrawals } = actor.clientOf(scenario);
  const seen = await actor.look(() => withdrawals.get(id));
  if (!seen) return;
  if (seen.status === 'WITHDRAWAL_CREATED') {
    if (scenario.commit === 'never') {
      record.hasEnded = true;
      return;
    }
    await ask(record, { actor, call: 'commit withdrawal', work: () => withdrawals.commit(id) });
  }
  if (!WITHDRAWAL_ENDS.includes(seen.status)) {
    if (scenario.to !== 'crypto') await actor.simulators.sendControl(`POST /payouts/${id}/complete`);
    await ask(record, { actor, call: 'refresh withdrawal', work: () => withdrawals.refresh(id) });
  }
  const then = await actor.look(() => withdrawals.get(id));
  record.hasEnded = then !== null && WITHDRAWAL_ENDS.includes(then.status);
};
