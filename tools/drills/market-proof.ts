// What every drill with outside systems promises in the end: everything that was begun is over, everybody has what he must
// have, and ledger, provider, books, events, audit trail and readers of the stream tell the same.

import type { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { CHECKS, type SimulationState } from '../simulation/checks/checks.ts';
import { lastPositions } from '../simulation/checks/events.ts';
import { openWork } from '../simulation/checks/rest.ts';
import { type Listeners, openListeners } from '../simulation/listeners.ts';
import { randomOf } from '../simulation/random.ts';
import type { Market } from './market.ts';
import { mistakesIn, showRefusals } from './order-scenarios.ts';
import type { Simulators } from './sandbox.ts';
import { type Stage, until } from './stage.ts';

const MARKETPLACE = 'mkt_default';
const LOOKS = ['books', 'history', 'proof', 'ledger', 'audit', 'positions', 'stream'] as const;
const SEED = 1;

const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));

/** Two readers of the stream, one that stays and one that comes and goes. */
export const openReaders = (stage: Stage, client: Holdfast): Listeners => {
  const readers = openListeners([{ marketplaceId: MARKETPLACE, client }], randomOf(SEED, 'readers of a drill'));
  stage.afterwards(() => readers.close());
  return readers;
};

type Parts = { market: Market; readers: Listeners; pool: pg.Pool; simulators: Simulators };

/** As much of a simulated environment as the looks at one need. */
const stateOf = ({ market, readers, pool, simulators }: Parts): SimulationState =>
  ({
    listeners: readers,
    environment: {
      pool,
      sql: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,
      simulators: { facts: { stranger: simulators.stranger }, sendControl: simulators.sendControl },
      places: [{ marketplaceId: MARKETPLACE, client: market.client }],
    },
  }) as unknown as SimulationState;

const COUNTS = `select reference, count(*)::int as n from postings
  where account_id like 'usr%' and reference = any($1) group by 1`;

const compareMoney = async (stage: Stage, { market, pool }: Pick<Parts, 'market' | 'pool'>): Promise<void> => {
  const { credits, topups, withdrawals } = market.payments;
  const ids = [...credits, ...topups, ...withdrawals].map(({ id }) => id);
  const { rows } = await pool.query<{ reference: string; n: number }>(COUNTS, [credits.map(({ id }) => id)]);
  const lost = credits.length - rows.length;
  const differ: string[] = [];
  for (const { id, hasCents } of market.people()) {
    const { available, reserved } = await market.client.balances.get(id);
    if (centsOf(available) !== hasCents) differ.push(`${id} has ${available} and ${reserved}, not ${hasCents} cents`);
  }
  stage.found('nothing that was acknowledged is lost', {
    holds: lost === 0 && differ.length === 0,
    detail: differ.join('; ') || `${market.orders.length} orders, ${ids.length} payments, ${lost} credits lost`,
  });
  stage.found('nothing happened twice', {
    holds: rows.every(({ n }) => n === 1) && differ.length === 0,
    detail: `${market.people().length} users have the expected balance, to the cent`,
  });
};

export const proveMarket = async (stage: Stage, parts: Parts): Promise<void> => {
  const { market, readers } = parts;
  const startedAt = performance.now();
  await market.finish();
  const state = stateOf(parts);
  await until(async () => (await openWork(state.environment)).length === 0, 'no work is in progress');
  const tookMs = Math.round(performance.now() - startedAt);
  const { orders, payments, refusals } = market;
  const ends = [...payments.topups, ...payments.withdrawals].map(({ end }) => end);
  const isWhole =
    orders.every(({ order }) => order.finalStatus === 'RELEASED') &&
    ends.every((end) => end === 'TOPUP_SUCCEEDED' || end === 'WITHDRAWAL_COMPLETED');
  stage.found('all work that was begun was completed automatically', {
    holds: isWhole && orders.length > 0,
    detail:
      `${orders.length} orders, ${payments.topups.length} top-ups, ${payments.withdrawals.length} withdrawals, ` +
      `the last ${tookMs} ms after; callers saw ${showRefusals(refusals)}`,
  });
  const mistakes = mistakesIn(refusals);
  stage.found('no operation was undone while its outcome was unknown', {
    holds: mistakes.length === 0,
    detail: mistakes.join(' ') || 'no operation was undone',
  });
  await compareMoney(stage, parts);
  await readers.caughtUp(await lastPositions(state.environment));
  for (const name of LOOKS) {
    const found = await CHECKS[name].run(state);
    stage.found(CHECKS[name].promise, {
      holds: found.length === 0,
      detail: found.join('; ') || 'every row read again',
    });
  }
};
