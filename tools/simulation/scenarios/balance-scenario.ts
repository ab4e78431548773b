// Lives a deposit, or a row of manual changes of one balance. No record of their own tells of them afterwards, so what they
// did is kept here: for certain when it was acknowledged, possibly when the outcome is unknown.

import type { CallOptions } from '@holdfast/sdk';
import { exactText } from '../../decimals.ts';
import type { Actor } from '../actors.ts';
import { newRecord } from '../records.ts';
import { type AdjustMove, type AdjustScenario, type DepositScenario, textOf, unitsOf } from './scenarios.ts';

export const runDeposit = async (scenario: DepositScenario, actor: Actor): Promise<void> => {
  const { id, address } = actor.users.of[scenario.place]![scenario.user]!;
  const asset = scenario.currency === 'XLM' ? 'XLM' : 'USDC';
  const paid = await actor.simulators.sendControl('POST /faucet', {
    address,
    asset,
    amount: exactText(scenario.units),
  });
  if (!paid) throw new Error(`the faucet did not pay to ${address}`);
  const change = { userId: id, currency: scenario.currency, available: scenario.units, reserved: 0n };
  actor.deposits.add(scenario.tag);
  actor.effect({ ...change, isCertain: true, tag: scenario.tag });
};

/** What each move does to the available and to the reserved balance, times the amount. */
const CHANGES: Readonly<Record<AdjustMove, readonly [available: bigint, reserved: bigint]>> = {
  credit: [1n, 0n],
  debit: [-1n, 0n],
  reserve: [-1n, 1n],
  release: [1n, -1n],
  deduct: [0n, -1n],
  'cancel-reservation': [1n, -1n],
  verify: [0n, 0n],
  // The ledger has what the books say, so it finds nothing to book.
  sync: [0n, 0n],
};

type Work = (options: CallOptions) => Promise<unknown>;

const workOf = (move: AdjustMove, { scenario, actor }: { scenario: AdjustScenario; actor: Actor }): Work => {
  const { balances } = actor.clientOf(scenario);
  const userId = actor.users.of[scenario.place]![scenario.user]!.id;
  const money = { amount: textOf(scenario.cents), currency: scenario.currency };
  const own = { ...money, orderId: scenario.tag };
  const work: Readonly<Record<AdjustMove, Work>> = {
    credit: (options) => balances.credit(userId, { ...money, reference: scenario.tag }, options),
    debit: (options) => balances.debit(userId, { ...money, reference: scenario.tag }, options),
    reserve: (options) => balances.reserve(userId, own, options),
    release: (options) => balances.release(userId, own, options),
    deduct: (options) => balances.deductReserved(userId, own, options),
    'cancel-reservation': (options) => balances.cancelReservation(userId, { orderId: scenario.tag }, options),
    verify: () => balances.verify(userId),
    sync: (options) => balances.sync(userId, { currency: scenario.currency }, options),
  };
  return work[move];
};

export const runAdjust = async (scenario: AdjustScenario, actor: Actor): Promise<void> => {
  const record = newRecord(scenario);
  actor.begin(record);
  const userId = actor.users.of[scenario.place]![scenario.user]!.id;
  const units = unitsOf(scenario.cents);
  const random = actor.random.fork(scenario.tag);
  for (const move of scenario.moves) {
    const work = workOf(move, { scenario, actor });
    const call = { tag: scenario.tag, call: move };
    const isPreviewed = move !== 'verify' && move !== 'sync' && random.is(scenario.previews);
    const first = isPreviewed
      ? await actor.previews.ask({ ...call, place: scenario.place, about: [], users: [userId] }, work)
      : await actor.ask(call, () => work({}));
    // Unknown outcome: the same call with the same key returns it, and cannot do the work twice.
    const key = first.outcome === 'unknown' ? first.error.idempotencyKey : null;
    const told = key === null ? first : await actor.ask(call, () => work({ idempotencyKey: key }));
    const [available, reserved] = CHANGES[move];
    if (told.outcome !== 'refused') {
      const change = { userId, currency: scenario.currency, available: available * units, reserved: reserved * units };
      actor.effect({ ...change, isCertain: told.outcome === 'acknowledged', tag: `${scenario.tag} ${move}` });
    }
    if (told.outcome === 'acknowledged') record.done.add(move);
    else if (move !== 'verify' && move !== 'sync') return;
  }
};
