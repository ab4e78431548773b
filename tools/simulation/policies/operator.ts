// An operator who moves the clock of deadlines and holds, resumes, extends and triggers some of them while scenarios run, and who
// publishes the policies.

import type { Actor } from '../actors.ts';
import type { Environment } from '../environment.ts';
import { retryUntil } from '../retry.ts';
import type { Any } from '../simulators.ts';
import type { OperatorAct } from './plan-policies.ts';

/** The first versions at the beginning, the second ones in the middle. An unclear outcome is looked up before another try. */
export const publishPolicies = async ({ plan, places, sql }: Environment, version: 1 | 2): Promise<void> => {
  for (const { client, marketplaceId } of places) {
    for (const { name, versions } of plan.policies) {
      const isThere = async (): Promise<boolean> =>
        (
          await sql('select 1 from policies where marketplace_id = $1 and name = $2 and policy_version = $3', [
            marketplaceId,
            name,
            version,
          ])
        ).length > 0;
      await retryUntil(async () => {
        if (await isThere()) return true;
        await client.policies.create({ name, rules: versions[version - 1]! }, { maxRetries: 0 }).catch(() => null);
        return isThere();
      }, `the policy ${name} is published`);
    }
  }
};

const STANDING = `select marketplace_id, order_id, kind, milestone_ref as ref, at from deadlines
  where kind <> 'reminder' and status = any($1) order by id`;

const STATES: Readonly<Record<Exclude<OperatorAct['what'], 'advance'>, readonly string[]>> = {
  hold: ['PENDING'],
  resume: ['HELD'],
  extend: ['PENDING', 'HELD'],
  trigger: ['PENDING', 'HELD'],
};

type Chosen = Exclude<OperatorAct, { readonly what: 'advance' }>;

const HOUR_MS = 3_600_000;

const actOn = async (
  row: Any,
  { environment, actor, act }: { environment: Environment; actor: Actor; act: Chosen },
) => {
  const { orders } = environment.places.find(({ marketplaceId }) => marketplaceId === row.marketplace_id)!.client;
  const named = { kind: row.kind, reason: 'Simulated.', ...(row.ref === null ? {} : { milestoneRef: row.ref }) };
  const later = Math.max(environment.deadlineClock.now(), Date.parse(row.at)) + act.hours * HOUR_MS;
  const work = {
    hold: () => orders.holdDeadline(row.order_id, named),
    resume: () => orders.resumeDeadline(row.order_id, named),
    extend: () => orders.extendDeadline(row.order_id, { ...named, until: new Date(later).toISOString() }),
    trigger: () => orders.triggerDeadline(row.order_id, named),
  }[act.what];
  await actor.ask({ tag: 'operator', call: `${act.what} ${row.kind} of ${row.order_id}` }, work);
};

const carryOut = async (act: OperatorAct, { environment, actor }: { environment: Environment; actor: Actor }) => {
  if (act.what === 'advance') {
    await environment.deadlineClock.advance(act.seconds);
    return;
  }
  // PostgreSQL may be down.
  const rows = await environment.sql(STANDING, [STATES[act.what]]).catch(() => []);
  if (rows.length > 0) await actOn(rows[act.pick % rows.length], { environment, actor, act });
};

type Work = { readonly acts: readonly OperatorAct[]; readonly over: Promise<unknown> };

/** Each act after its number of calls, or when the scenarios of the step are over. */
export const operate = async (of: { environment: Environment; actor: Actor }, { acts, over }: Work): Promise<void> => {
  const { entries } = of.environment.journal;
  const begun = entries.length;
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  void over.then(end, end);
  for (const act of acts) {
    await retryUntil(() => isOver || entries.length - begun >= act.at, 'the calls before an act of the operator').catch(
      () => {},
    );
    await carryOut(act, of);
  }
};
