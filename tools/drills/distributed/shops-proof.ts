// What every drill on a cluster promises in the end, for each of its marketplaces: everything acknowledged is in the books once, every order
// that was begun is over, the readers of the streams have every event once, and the books and the audit chain hold.

import type pg from 'pg';
import type { SimulationState } from '../../simulation/checks/checks.ts';
import { checkStream, lastPositions } from '../../simulation/checks/events.ts';
import { type Listeners, openListeners } from '../../simulation/listeners.ts';
import { randomOf } from '../../simulation/random.ts';
import { mistakesIn, type Refusals, showRefusals } from '../order-scenarios.ts';
import type { Stage } from '../stage.ts';
import type { Shop } from './shops.ts';

const SEED = 1;

export const openReaders = (stage: Stage, shops: readonly Shop[]): Listeners => {
  const readers = openListeners(shops, randomOf(SEED, 'readers of a drill on a cluster'));
  stage.afterwards(() => readers.close());
  return readers;
};

const COUNTS = `select reference, count(*)::int as n from postings
  where marketplace_id = $1 and account_id like 'usr%' and reference = any($2) group by 1`;

const compareCredits = async (stage: Stage, { shops, pool }: Pick<Parts, 'shops' | 'pool'>): Promise<void> => {
  let total = 0;
  let lost = 0;
  let twice = 0;
  for (const { marketplaceId, acknowledged } of shops) {
    const references = acknowledged.map(({ reference }) => reference);
    const { rows } = await pool.query<{ reference: string; n: number }>(COUNTS, [marketplaceId, references]);
    total += references.length;
    lost += references.length - rows.length;
    twice += rows.filter(({ n }) => n > 1).length;
  }
  stage.found('nothing that was acknowledged is lost', { holds: lost === 0, detail: `${total} credits, ${lost} lost` });
  stage.found('nothing happened twice', { holds: twice === 0, detail: `${twice} credits twice` });
};

const compareOrders = (stage: Stage, shops: readonly Shop[]): void => {
  const orders = shops.flatMap((shop) => shop.orders);
  const refusals: Refusals = new Map();
  for (const shop of shops) {
    for (const [code, count] of shop.refusals) refusals.set(code, (refusals.get(code) ?? 0) + count);
  }
  const open = orders.filter(({ order }) => order.finalStatus !== 'RELEASED').length;
  const mistakes = mistakesIn(refusals);
  stage.found('every order that was begun was completed', {
    holds: open === 0 && orders.length > 0 && mistakes.length === 0,
    detail: `${orders.length} orders, ${open} not released; callers saw ${showRefusals(refusals)}`,
  });
};

const proveEach = async (stage: Stage, shops: readonly Shop[]): Promise<void> => {
  const problems: string[] = [];
  for (const { marketplaceId, client } of shops) {
    const proof = await client.audit.proof();
    const failed = proof.checks.filter(({ holds }) => !holds).map(({ name, detail }) => `${name}: ${detail}`);
    problems.push(...failed.map((each) => `${marketplaceId} ${each}`));
    if (!(await client.audit.verify()).holds) problems.push(`${marketplaceId}: the audit chain is broken`);
  }
  stage.found('the proof and the audit chain of every marketplace hold', {
    holds: problems.length === 0,
    detail: problems.join('; ') || `${shops.length} marketplaces, every posting added up`,
  });
};

type Parts = { readonly shops: readonly Shop[]; readonly readers: Listeners; readonly pool: pg.Pool };

const compareStreams = async (stage: Stage, { shops, readers, pool }: Parts): Promise<void> => {
  const environment = {
    sql: async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows,
    places: shops,
  };
  // As much of a simulated environment as the check of streams needs.
  const state = { listeners: readers, environment } as unknown as SimulationState;
  await readers.caughtUp(await lastPositions(state.environment));
  const found = await checkStream(state);
  const events = readers.heard.reduce((sum, { events: heard }) => sum + heard.length, 0);
  stage.found('every reader of a stream has every event once and in order', {
    holds: found.length === 0,
    detail: found.join('; ') || `${readers.heard.length} readers, ${events} events`,
  });
};

export const proveShops = async (stage: Stage, parts: Parts): Promise<void> => {
  await Promise.all(parts.shops.map((shop) => shop.finish()));
  await compareCredits(stage, parts);
  compareOrders(stage, parts.shops);
  await compareStreams(stage, parts);
  await proveEach(stage, parts.shops);
};
