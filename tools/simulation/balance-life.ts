// Lives a deposit, or a row of manual changes of one balance. No record of their own tells of them afterwards, so what they
// did is kept here: for certain when it was acknowledged, possibly when nobody knows.

import type { CallOptions } from '@holdfast/sdk';
import { exactText } from '../decimals.ts';
import type { Actor } from './actors.ts';
import { type AdjustLife, type AdjustMove, type DepositLife, textOf, unitsOf } from './lives.ts';
import { beginOf } from './records.ts';

export const liveDeposit = async (life: DepositLife, actor: Actor): Promise<void> => {
  const { id, address } = actor.people.of[life.place]![life.user]!;
  const asset = life.currency === 'XLM' ? 'XLM' : 'USDC';
  const paid = await actor.simulators.sendControl('POST /faucet', { address, asset, amount: exactText(life.units) });
  if (!paid) throw new Error(`the faucet did not pay to ${address}`);
  const change = { userId: id, currency: life.currency, available: life.units, reserved: 0n };
  actor.deposits.add(life.tag);
  actor.effect({ ...change, isCertain: true, tag: life.tag });
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

const workOf = (move: AdjustMove, { life, actor }: { life: AdjustLife; actor: Actor }): Work => {
  const { balances } = actor.clientOf(life);
  const userId = actor.people.of[life.place]![life.user]!.id;
  const money = { amount: textOf(life.cents), currency: life.currency };
  const own = { ...money, orderId: life.tag };
  const work: Readonly<Record<AdjustMove, Work>> = {
    credit: (options) => balances.credit(userId, { ...money, reference: life.tag }, options),
    debit: (options) => balances.debit(userId, { ...money, reference: life.tag }, options),
    reserve: (options) => balances.reserve(userId, own, options),
    release: (options) => balances.release(userId, own, options),
    deduct: (options) => balances.deductReserved(userId, own, options),
    'cancel-reservation': (options) => balances.cancelReservation(userId, { orderId: life.tag }, options),
    verify: () => balances.verify(userId),
    sync: (options) => balances.sync(userId, { currency: life.currency }, options),
  };
  return work[move];
};

export const liveAdjust = async (life: AdjustLife, actor: Actor): Promise<void> => {
  const lived = beginOf(life);
  actor.begin(lived);
  const userId = actor.people.of[life.place]![life.user]!.id;
  const units = unitsOf(life.cents);
  for (const move of life.moves) {
    const work = workOf(move, { life, actor });
    const call = { tag: life.tag, call: move };
    const first = await actor.ask(call, () => work({}));
    // Nobody knows: with the same key the same call tells, and cannot do it twice.
    const key = first.outcome === 'unknown' ? first.error.idempotencyKey : null;
    const told = key === null ? first : await actor.ask(call, () => work({ idempotencyKey: key }));
    const [available, reserved] = CHANGES[move];
    if (told.outcome !== 'refused') {
      const change = { userId, currency: life.currency, available: available * units, reserved: reserved * units };
      actor.effect({ ...change, isCertain: told.outcome === 'acknowledged', tag: `${life.tag} ${move}` });
    }
    if (told.outcome === 'acknowledged') lived.done.add(move);
    else if (move !== 'verify' && move !== 'sync') return;
  }
};
