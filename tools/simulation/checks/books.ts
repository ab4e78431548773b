// Whether the books are sound by themselves: they sum to zero, every account is what its postings say, claims equal
// holdings, and what is reserved is what the reservations hold. True at every moment, whatever is under way.

import { proveBooks } from '../../../server/src/books/proof.ts';
import { createAuditReads } from '../../../server/src/modules/audit/queries.ts';
import { MOVES_OF } from '../../../server/src/modules/audit/unindexed-actions.ts';
import { inSnapshot } from '../../../server/src/postgres/connection.ts';
import type { Check } from './checks.ts';

const OVERDRAWN = `select id, balance::text from accounts
  where not open and ((side = 'claim' and balance < 0) or (side = 'holding' and balance > 0))`;

/** Commands whose postings do not cancel out in some currency. */
const LOPSIDED = `select command_id as command, sum(amount)::text as sum from postings
  group by marketplace_id, command_id, substring(account_id from '[^:]+$') having sum(amount) <> 0`;

const UNEVEN = `select account_id as account, seq::text from (
    select account_id, seq, balance_after, sum(amount) over (partition by marketplace_id, account_id order by seq) as sum
    from postings) p where sum <> balance_after`;

/** The report of open items finds the money in escrow by the live escrows. */
const WITHOUT_ESCROW = `select a.id, a.balance::text from accounts a where a.id like 'ord\\_%:escrow:%' and a.balance > 0
  and not exists (select from escrows e where e.marketplace_id = a.marketplace_id and e.order_id = split_part(a.id, ':', 1)
    and not e.set_aside and e.status not in ('CREATING', 'RELEASED', 'REFUNDED'))`;

/** A search of a user's entries of one action reads only the postings of the moves that have the action. */
const ODD_MOVES = `select e.seq::text, e.action from audit_entries e
  join (values ${Object.entries(MOVES_OF)
    .map(([action, moves]) => `('${action}', array['${moves.join("', '")}'])`)
    .join(', ')}) m (action, moves) on m.action = e.action
  where not exists (select from postings p where p.marketplace_id = e.marketplace_id and p.audit_seq = e.seq
    and p.account_id like e.resource_id || ':%' and p.move = any(m.moves))`;

export const checkBooks: Check = async ({ environment }) => {
  const { checks } = await proveBooks(environment.pool, null);
  const open = checks.filter(({ name, holds }) => !holds && name !== 'no-open-breaks');
  const rows = {
    overdrawn: await environment.sql(OVERDRAWN),
    lopsided: await environment.sql(LOPSIDED),
    uneven: await environment.sql(UNEVEN),
    'without escrow': await environment.sql(WITHOUT_ESCROW),
    'odd move': await environment.sql(ODD_MOVES),
  };
  return [
    ...open.map(({ name, detail }) => `${name}: ${detail}`),
    ...Object.entries(rows).flatMap(([name, found]) => found.map((row) => `${name}: ${JSON.stringify(row)}`)),
  ];
};

/** The proof as the API returns it, at the end when no work is running. */
export const checkProof: Check = async ({ environment }) => {
  const found = await Promise.all(
    environment.places.map(async ({ client, marketplaceId }) => {
      const { holds, checks } = await client.audit.proof();
      const broken = checks.filter((check) => !check.holds);
      return holds && broken.length === 0 ? [] : [`${marketplaceId}: ${JSON.stringify(broken)}`];
    }),
  );
  return found.flat();
};

const UNAUDITED = `select e.position::text, e.event_type from events e where not exists (
    select from audit_entries a where a.marketplace_id = e.marketplace_id
      and a.correlation_id = e.envelope::jsonb -> 'metadata' ->> 'correlationId')`;

export const checkAudit: Check = async ({ environment }) => {
  const { verifyChain } = createAuditReads(environment.pool);
  const found: string[] = [];
  for (const { marketplaceId } of environment.places) {
    const { holds, brokenAt } = await verifyChain(marketplaceId);
    if (!holds) found.push(`${marketplaceId}: the chain is broken at ${brokenAt}`);
  }
  // No index has the correlation id, so the statement has to be planned as one of many rows.
  const { rows: unaudited } = await inSnapshot(environment.pool, (client) => client.query(UNAUDITED));
  return [...found, ...unaudited.map((one) => `an event without an audit entry: ${JSON.stringify(one)}`)];
};
