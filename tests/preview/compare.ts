// Sends a request as a preview and then for real, with nothing in between, and compares everything that both show: the status, the
// reply, the postings, the balances, the events, the calls, or the error. The preview must leave no trace.

import assert from 'node:assert/strict';
import type { Answer, Ask, TestApp } from '../support/app.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers and rows are read like JavaScript would
type Any = any;

export type Compared = { readonly preview: Answer; readonly real: Answer };

let sent = 0;

const ID = /\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}\b/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g;
const ADDRESS = /\b[CG][A-Z2-7]{55}\b/g;
/** Values that only an outside system can name. */
const OUTSIDE = /"(providerPayinId|providerPayoutId|confirmationUri|transactionHash)":"[^"]*"/g;

/** Moves with which the books follow the ledger. What they are depends on fees and balances there, so a preview does not have them. */
const OF_LEDGER = [
  'wallet_payment',
  'network_fee',
  'exchange_out',
  'exchange_in',
  'contract_funding',
  'contract_payment',
  'contract_gain',
  'protocol_fee',
  'deposit',
  'house_deposit',
];

/** New ids get the number of their first appearance, so that two requests that made other ids compare. */
const normalised = (value: unknown, known: string): Any => {
  const names = new Map<string, string>();
  const named = (id: string): string => {
    if (known.includes(id)) return id;
    const name = names.get(id) ?? `${id.slice(0, 4)}new-${names.size}`;
    names.set(id, name);
    return name;
  };
  const text = JSON.stringify(value)
    .replace(TIME, 'TIME')
    .replace(OUTSIDE, '"$1":"outside"')
    .replace(ID, named)
    .replace(ADDRESS, (address) => (known.includes(address) ? address : 'ADDRESS'));
  return JSON.parse(text);
};

const recordOf = ({ body }: Answer): Any => (body.data?.success === true ? body.data.data : body.data);

/** What the commands of one request wrote. */
const writtenBy = async (app: TestApp, requestId: string) => {
  const postings = await app.sql(
    `select regexp_replace(p.account_id, ':[A-Z]+$', '') as "from", regexp_replace(p.counter_account_id, ':[A-Z]+$', '') as "to",
       (-p.amount)::text as units, substring(p.account_id from '[A-Z]+$') as currency, p.move, p.command_id
     from postings p join audit_entries a on a.marketplace_id = p.marketplace_id and a.seq = p.audit_seq
     where a.correlation_id = $1 and p.amount < 0 and not p.move = any($2) order by p.audit_seq, p.posted_at, p.command_id`,
    [requestId, OF_LEDGER],
  );
  const events = await app.sql(
    `select e.event_type as type, e.aggregate_id as "aggregateId", e.envelope::jsonb -> 'payload' as payload from events e
     where e.envelope::jsonb -> 'metadata' ->> 'correlationId' = $1 order by e.position`,
    [requestId],
  );
  const [{ audits }] = await app.sql('select count(*)::int as audits from audit_entries where correlation_id = $1', [
    requestId,
  ]);
  return { postings, events, audits };
};

const unitsOf = (amount: string): string => {
  const [whole, places = ''] = amount.split('.') as [string, string?];
  return String(BigInt(whole + places.padEnd(7, '0')));
};

/** The heads of the trail and of the stream, and the number of stored answers. */
export const headOf = async (app: TestApp): Promise<Any> =>
  (
    await app.sql(
      `select m.audit_seq::text, m.audit_hash, m.event_position::text,
         (select count(*)::text from idempotency_answers i where i.marketplace_id = m.marketplace_id) as answers
       from marketplaces m where m.marketplace_id = $1`,
      [app.marketplaceId],
    )
  )[0];

/** Entries since a head that neither a job wrote nor a request of before: the work of a request may go on after its answer. */
const NEW_ENTRIES = `select action, actor_type, correlation_id from audit_entries a
  where marketplace_id = $1 and seq > $2 and actor_type <> 'system' and not exists (select 1 from audit_entries b
    where b.marketplace_id = $1 and b.seq <= $2 and b.correlation_id = a.correlation_id)`;

const EXPLAINED = `select (select count(*)::int from audit_entries where marketplace_id = $1 and seq > $2) as entries,
  (select count(*)::int from events where marketplace_id = $1 and position > $3) as events`;

/** The heads have not moved since. Where jobs have written, only they moved them. */
export const requireUnmoved = async (app: TestApp, { before, request }: { before: Any; request: string }) => {
  const after = await headOf(app);
  const said = `${request} moved a head or stored an answer`;
  assert.equal(after?.answers, before?.answers, said);
  const { marketplaceId } = app;
  const since = [marketplaceId, before?.audit_seq ?? '0'];
  assert.deepEqual(await app.sql(NEW_ENTRIES, since), [], said);
  const [{ entries, events }] = await app.sql(EXPLAINED, [...since, before?.event_position ?? '0']);
  if (entries === 0 && events === 0) assert.deepEqual(after, before, said);
};

const balancesOf = async (app: TestApp, named: readonly { userId: string; currency: string }[]): Promise<Any[]> => {
  const shown = [];
  for (const { userId, currency } of named) {
    // The closing balance of a statement is exact.
    const { body } = await app.call(`GET /users/${userId}/statement?currency=${currency}&limit=1`);
    const { available, reserved } = body.data.closing;
    shown.push({ userId, currency, available, reserved });
  }
  return shown;
};

const sides = (balances: Any[], side: 'before' | 'after'): Any[] =>
  balances.map(({ userId, currency, [side]: figures }) => ({ userId, currency, ...figures }));

const compareErrors = ({ preview, real }: Compared, request: string): void => {
  const shown = ({ status, body }: Answer) => {
    const { requestId: _, ...details } = body.error.details;
    return { status, ...body.error, details };
  };
  assert.deepEqual(normalised(shown(preview), request), normalised(shown(real), request), request);
};

/** Sorted, because the rows of one command have the same time: a command that moves money twice has no order in the database. */
const sortedPostings = (postings: Any[]): Any[] =>
  postings.map(({ from, to, units, currency, move }) => `${move} ${from} ${to} ${units} ${currency}`).sort();

export const headers = (id: string, isPreview: boolean): Record<string, string> => ({
  'x-request-id': id,
  ...(isPreview ? { 'dry-run': 'true' } : {}),
});

/** Sends the request as a preview, which must leave nothing behind. */
export const previewOnly = async (app: TestApp, request: string, ask: Ask = {}): Promise<Answer> => {
  const id = `preview-${++sent}`;
  const before = await headOf(app);
  const answer = await app.call(request, { ...ask, headers: { ...ask.headers, ...headers(id, true) } });
  assert.equal(answer.headers.get('dry-run'), 'true', `${request}: ${answer.text}`);
  const { postings, events, audits } = await writtenBy(app, id);
  assert.deepEqual([postings, events, audits], [[], [], 0], `the preview of ${request} left a trace`);
  await requireUnmoved(app, { before, request: `the preview of ${request}` });
  return answer;
};

/** `settled`: of a request that answers before its work has ended; waits for the end and returns the record then. */
type Comparing = Ask & { readonly settled?: () => Promise<Any> };

/** The preview and the real request show the same. Returns both answers. */
export const compare = async (app: TestApp, request: string, comparing: Comparing = {}): Promise<Compared> => {
  const { settled, ...ask } = comparing;
  const known = `${request} ${JSON.stringify(ask.body ?? {})}`;
  const preview = await previewOnly(app, request, ask);
  const isRefused = preview.status >= 400;
  const shown = isRefused ? null : preview.body.data;
  if (shown) assert.deepEqual(await balancesOf(app, shown.balances), sides(shown.balances, 'before'), request);
  const id = `real-${++sent}`;
  const real = await app.call(request, { ...ask, headers: { ...ask.headers, ...headers(id, false) } });
  if (isRefused || real.status >= 400) {
    assert.equal(preview.status, real.status, `${request}: the preview ${preview.text}, really ${real.text}`);
    compareErrors({ preview, real }, request);
    return { preview, real };
  }
  assert.deepEqual([preview.status, shown.status], [200, real.status], request);
  assert.equal(real.headers.get('dry-run'), null);
  const record = settled ? await settled() : recordOf(real);
  const written = await writtenBy(app, id);
  const previewed = shown.postings.map(({ amount, ...posting }: Any) => ({ ...posting, units: unitsOf(amount) }));
  // One text for each side, so that a new id has the same number in all its places.
  const all = (reply: Any, events: Any[], postings: Any[]) =>
    normalised([reply, events.map(({ type, aggregateId, payload }) => [type, aggregateId, payload]), postings], known);
  assert.deepEqual(all(shown.reply, shown.events, []), all(record, written.events, []), `${request}: reply and events`);
  assert.deepEqual(
    sortedPostings(normalised(previewed, known)),
    sortedPostings(normalised(written.postings, known)),
    `${request}: postings`,
  );
  assert.deepEqual(await balancesOf(app, shown.balances), sides(shown.balances, 'after'), request);
  return { preview, real };
};
