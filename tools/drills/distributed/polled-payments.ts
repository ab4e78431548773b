// Top-ups that only a job carries on: the payer pays, the provider's webhook is lost, and the payer does not return. The job that polls
// top-ups finds the payment.

import type { Holdfast } from '@holdfast/sdk';
import type pg from 'pg';
import { until } from '../stage.ts';
import type { Shop } from './shops.ts';

type Sandbox = { readonly controlUrl: string };

const JOB = 'refresh-topups';
const PAID = 'TOPUP_SUCCEEDED';
const WEBHOOKS_LOST = 100;

const send = async ({ controlUrl }: Sandbox, path: string, body?: unknown): Promise<void> => {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(`${controlUrl}${path}`, { method: 'POST', ...json });
  if (!answer.ok) throw new Error(`the simulators answered ${path} with ${answer.status} ${await answer.text()}`);
};

type PolledTopup = { readonly client: Holdfast; readonly marketplaceId: string; readonly id: string };

/** One for each marketplace, paid at the provider and unknown to the server. */
export const payUnnoticed = async (sandbox: Sandbox, shops: readonly Shop[]): Promise<PolledTopup[]> => {
  await send(sandbox, '/faults', { operation: 'webhook', fault: 'drop', count: WEBHOOKS_LOST });
  const topups: PolledTopup[] = [];
  for (const { client, marketplaceId, creditedId } of shops) {
    const { id } = await client.topups.create({ userId: creditedId, amount: '5.00' });
    await send(sandbox, `/payins/${id}/confirm`);
    topups.push({ client, marketplaceId, id });
  }
  return topups;
};

// As the schedule does every minute. The time of the next poll is no part of the state of a top-up.
const DUE = 'update topups set next_look_at = now() where marketplace_id = $1 and id = $2';
const RUN = 'insert into pgboss.job (name) values ($1) on conflict do nothing';

/** How long the job took to credit all of them. */
export const untilPolled = async (pool: pg.Pool, topups: readonly PolledTopup[]): Promise<number> => {
  const startedAt = performance.now();
  for (const { marketplaceId, id } of topups) await pool.query(DUE, [marketplaceId, id]);
  await pool.query(RUN, [JOB]);
  const isPaid = async ({ client, id }: PolledTopup): Promise<boolean> => (await client.topups.get(id)).status === PAID;
  await until(
    async () => (await Promise.all(topups.map(isPaid))).every((paid) => paid),
    `the job credits the top-ups of ${topups.length} marketplaces`,
  );
  return Math.round(performance.now() - startedAt);
};
