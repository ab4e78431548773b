// Whether every dry run said what its request then did: the same status, postings, balances and events, where no other commit touched the
// order or its users in between. And whether it left no trace: no event, no audit entry and no answer for its Idempotency-Key.

import { exactUnits } from '../../decimals.ts';
import type { Environment } from '../environment.ts';
import type { Previewed } from '../previews/previews.ts';
import { requestIdsOf } from '../previews/request-ids.ts';
import type { Any } from '../simulators.ts';
import type { Check, SimulationState } from './checks.ts';

/** Refusals that the state of the books decides; others come from outside systems or from load. */
const DECIDED: readonly string[] = [
  'INVALID_STATE',
  'INSUFFICIENT_FUNDS',
  'RESERVE_NOT_FOUND',
  'RESERVATION_EXCEEDED',
  'RESERVATION_NOT_FOUND',
  'INVALID_RESERVED_DEDUCTION',
  'ESCROW_ALREADY_EXISTS',
  'DISPUTE_ALREADY_OPEN',
];

const EVENTS = `select envelope::jsonb -> 'metadata' ->> 'correlationId' as request, event_type as type, aggregate_id as id
  from events order by marketplace_id, position`;
const ENTRIES = `select marketplace_id, seq::text as seq, correlation_id as request, resource_id, user_id from audit_entries`;
const POSTINGS = `select a.correlation_id as request, x.account_id as from, x.counter_account_id as to, x.amount::text as amount, x.move
  from postings x join audit_entries a on a.marketplace_id = x.marketplace_id and a.seq = x.audit_seq where x.amount < 0`;
const AFTER = `select a.correlation_id as request, x.account_id as account, x.balance_after::text as units
  from postings x join audit_entries a on a.marketplace_id = x.marketplace_id and a.seq = x.audit_seq
  order by x.marketplace_id, x.account_id, x.seq`;

type Rows = Readonly<Record<'events' | 'entries' | 'postings' | 'after', readonly Any[]>>;

type Facts = { readonly [Name in keyof Rows]: Map<string, Any[]> } & { readonly entriesOf: Map<string, Any[]> };

const byRequest = (rows: readonly Any[]): Map<string, Any[]> => Map.groupBy(rows, ({ request }) => request);

const factsOf = async ({ sql }: Environment): Promise<Facts> => {
  const entries = await sql(ENTRIES);
  return {
    events: byRequest(await sql(EVENTS)),
    entries: byRequest(entries),
    postings: byRequest(await sql(POSTINGS)),
    after: byRequest(await sql(AFTER)),
    entriesOf: Map.groupBy(entries, (row) => row.marketplace_id),
  };
};

/** Another commit about one of these, between the dry run and the end of the request. */
const isDisturbed = (
  { marketplaceId, since, until, real }: Previewed,
  { ids, entriesOf }: Pick<Facts, 'entriesOf'> & { readonly ids: readonly string[] },
): boolean =>
  (entriesOf.get(marketplaceId) ?? []).some(
    ({ seq, request, resource_id: resource, user_id: user }) =>
      BigInt(seq) > since &&
      BigInt(seq) <= until &&
      request !== real.requestId &&
      (ids.includes(resource) || ids.includes(user)),
  );

const listOf = (items: readonly string[]): string => items.join(', ') || 'none';

const differs = (what: string, { said, did }: { said: readonly string[]; did: readonly string[] }): string[] =>
  JSON.stringify(said) === JSON.stringify(did)
    ? []
    : [`its ${what} were to be ${listOf(said)}, and are ${listOf(did)}`];

const UNITS_SIGN = -1n;

/** Accounts in the preview have no currency at their end. */
const postingsOf = (rows: readonly Any[]): string[] =>
  rows.map(({ from, to, amount, move }) => `${move} ${from} ${to} ${BigInt(amount) * UNITS_SIGN}`).sort();

const balancesOf = (rows: readonly Any[]): Map<string, bigint> =>
  new Map(rows.map(({ account, units }) => [account, BigInt(units)]));

const compareDone = (one: Previewed, { preview, facts }: { preview: Any; facts: Facts }): string[] => {
  const { real, told } = one;
  const of = (name: 'events' | 'postings' | 'after'): Any[] => facts[name].get(real.requestId) ?? [];
  const said = preview.postings.map(
    ({ from, to, amount, currency, move }: Any) =>
      `${move} ${from}:${currency} ${to}:${currency} ${exactUnits(String(amount))}`,
  );
  const after = balancesOf(of('after'));
  const isShared = isDisturbed(one, { ids: one.users, entriesOf: facts.entriesOf });
  const balances = preview.balances.flatMap(({ userId, currency, after: figures }: Any) =>
    (['available', 'reserved'] as const).flatMap((part) => {
      const units = after.get(`${userId}:${part}:${currency}`);
      const is = exactUnits(figures[part]);
      return isShared || units === undefined || units === is
        ? []
        : [`${userId} was to have ${is}, and has ${units} ${part}`];
    }),
  );
  const reply = told.outcome === 'acknowledged' ? (told.value as Any) : null;
  return [
    ...(preview.status === real.statuses[0]
      ? []
      : [`its status was to be ${preview.status}, and is ${real.statuses[0]}`]),
    ...(preview.reply?.status === reply?.status
      ? []
      : [`it was to be ${preview.reply?.status}, and is ${reply?.status}`]),
    ...differs('postings', { said: [...said].sort(), did: postingsOf(of('postings')) }),
    ...balances,
    ...differs('events', {
      said: preview.events.map(({ type }: Any) => type),
      did: of('events').map(({ type }) => type),
    }),
  ];
};

const isComparable = (one: Previewed, { entriesOf }: Facts): boolean => {
  const { statuses } = one.real;
  // After a timeout the client waits for the end of the operation.
  const isOnce = statuses.length === 1 && (statuses[0] ?? 500) < 500;
  const isAnswered = one.foretold !== null && isOnce && one.told.outcome !== 'unknown';
  return isAnswered && !isDisturbed(one, { ids: one.about, entriesOf });
};

const compare = (one: Previewed, facts: Facts): string[] => {
  const { told } = one;
  const foretold = one.foretold!;
  if (!isComparable(one, facts)) return [];
  const { entriesOf } = facts;
  const isShared = isDisturbed(one, { ids: one.users, entriesOf });
  if (told.outcome === 'acknowledged') {
    if ('refusal' in foretold)
      return isShared ? [] : [`it was to be refused with ${foretold.refusal}, and was carried out`];
    return compareDone(one, { preview: foretold.preview, facts });
  }
  if (isShared || !DECIDED.includes(told.error.code)) return [];
  const said = 'refusal' in foretold ? foretold.refusal : 'carried out';
  return said === told.error.code ? [] : [`it was to be ${said}, and was refused with ${told.error.code}`];
};

/** How many dry runs could be compared. */
export const comparedPreviews = async ({ environment, actor }: SimulationState): Promise<number> => {
  const facts = await factsOf(environment);
  return actor.previews.all.filter((one) => isComparable(one, facts)).length;
};

const tracesOf = ({ dryRun, real }: Previewed, { events, entries }: Facts): string[] => {
  const ids = requestIdsOf(dryRun);
  return [
    ...(ids.some((id) => events.has(id)) ? ['an event'] : []),
    ...(ids.some((id) => entries.has(id)) ? ['an audit entry'] : []),
    ...(real.isReplayed ? ['an answer for its Idempotency-Key'] : []),
  ];
};

export const checkPreviews: Check = async ({ environment, actor }) => {
  const { all } = actor.previews;
  const facts = await factsOf(environment);
  return [
    ...all.flatMap((one) => compare(one, facts).map((what) => `${one.tag} ${one.call}: ${what}`)),
    ...all.flatMap((one) => tracesOf(one, facts).map((trace) => `${one.tag} ${one.call}: the dry run left ${trace}`)),
  ];
};
