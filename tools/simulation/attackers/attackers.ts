// Opens the attackers' marketplace, runs the attackers of a step beside its scenarios, and finds at the end what they left behind.

import type { Actor } from '../actors.ts';
import type { Environment } from '../environment.ts';
import type { Step } from '../plan.ts';
import { randomOf } from '../random.ts';
import { fillTreasury } from '../users.ts';
import { runAdversarialTenant } from './adversarial-tenant.ts';
import { ATTACKER_MARKETPLACE, type Attacker, type AttackerName, type Cast } from './cast.ts';
import { runHintFlood } from './hint-flood.ts';
import { runHostileReader } from './hostile-reader.ts';
import { runStreamHoarder } from './stream-hoarder.ts';

const RUN: Readonly<Record<AttackerName, Attacker>> = {
  'adversarial tenant': runAdversarialTenant,
  'hint flood': runHintFlood,
  'hostile reader': runHostileReader,
  'stream hoarder': runStreamHoarder,
};

export const openCast = async (environment: Environment): Promise<Cast> => {
  const marketplaceId = ATTACKER_MARKETPLACE;
  const { key, client } = await environment.openKey({ marketplaceId, scopes: ['read', 'write'] });
  const { key: readKey } = await environment.openKey({ marketplaceId, scopes: ['read'] });
  const name = 'attacker';
  const { id: userId } = await client.users.create({ externalUserId: name, email: `${name}@shop.example` });
  await fillTreasury(environment, { client, marketplaceId, userIds: [userId] });
  return { client, key, readKey, userId };
};

type Attacking = { readonly environment: Environment; readonly cast: Cast; readonly actor: Actor };

/** Begins the attackers of a step; each ends at the latest when the scenarios have ended. */
export const beginAttacks = (
  { environment, cast, actor }: Attacking,
  { step, over }: { step: Step; over: Promise<unknown> },
): Promise<void>[] => {
  let hasEnded = false;
  const ended = over.finally(() => {
    hasEnded = true;
  });
  return step.attackers.map((name) => {
    const tag = `${step.name}-${name.replaceAll(' ', '-')}`;
    const random = randomOf(environment.plan.seed, tag);
    return RUN[name]({ environment, cast, actor, tag, random, over: ended, isOver: () => hasEnded });
  });
};

/** Payouts of the attackers that were made or may still be, also those whose answer was lost. */
const PAYOUTS = `select id, status, amount::text from withdrawals where marketplace_id = $1
  and status not in ('WITHDRAWAL_FAILED', 'WITHDRAWAL_CANCELED')`;

/** What a hint changed has audit entries of the same request, about something else than the hint. */
const CHANGED = `exists (select from audit_entries c where c.marketplace_id = a.marketplace_id
  and c.correlation_id = a.correlation_id and c.resource_type <> 'WebhookEvent')`;

/** Rows and audit entries of hints that changed nothing. */
const HINT_TRACES = `select
  (select count(*)::int from webhook_events w where not signed and (state <> 'PROCESSED' or not exists (
    select from audit_entries a where a.marketplace_id = w.marketplace_id and a.resource_type = 'WebhookEvent'
      and a.resource_id = w.id and ${CHANGED}))) as rows,
  (select count(*)::int from audit_entries a where a.resource_type = 'WebhookEvent'
    and a.payload_after::jsonb ->> 'signed' = 'false' and not ${CHANGED}) as entries`;

type Judged = { readonly sql: Environment['sql']; readonly journal: Pick<Environment['journal'], 'violate'> };

/** When nothing is under way any more. */
export const judgeAttacks = async ({ sql, journal }: Judged): Promise<void> => {
  for (const row of await sql(PAYOUTS, [ATTACKER_MARKETPLACE])) {
    journal.violate(`adversarial tenant: a payout that its marketplace never received: ${JSON.stringify(row)}`);
  }
  const [{ rows, entries }] = await sql(HINT_TRACES);
  if (rows + entries === 0) return;
  journal.violate(`hint flood: hints that changed nothing left ${rows} rows and ${entries} audit entries`);
};
