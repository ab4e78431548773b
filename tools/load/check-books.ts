// Looks at one marketplace's rows with eyes of its own: nothing here trusts a balance that the committer wrote. It reads
// every posting, event and audit entry and fails with what it found.

import assert from 'node:assert/strict';
import type pg from 'pg';
import { proveBooks } from '../../server/src/books/proof.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';

export type Balances = Record<string, { available: bigint; reserved: bigint }>;

type Posting = { account: string; seq: bigint; amount: bigint; after: bigint; counter: string; command: string };
type Event = { position: bigint; occurredAt: string; envelope: string };
type Envelope = {
  eventType: string;
  occurredAt: string;
  payload: Record<string, string>;
  metadata: { causationId: string; correlationId: string; position: number };
};

const POSTINGS = `select account_id as account, seq, amount, balance_after as after, counter_account_id as counter,
  command_id as command from postings where marketplace_id = $1 order by account_id, seq`;
const EVENTS = `select position, occurred_at as "occurredAt", envelope from events where marketplace_id = $1 order by position`;

/** The counterparts of what was booked by hand. */
const MAY_BE_NEGATIVE = /^operator:(adjustments|opening-balances):/;

const UNITS_PER_CENT = 100_000n;
const units = (wire: string): bigint => BigInt(wire.replace('.', '')) * UNITS_PER_CENT;

/** Balances by `user/currency`, after every promise about the books has been checked. */
export const inspectBooks = async (pool: pg.Pool, marketplaceId: string): Promise<Balances> => {
  const ask = async <Row extends pg.QueryResultRow>(text: string): Promise<Row[]> =>
    (await pool.query<Row>(text, [marketplaceId])).rows;
  const postings = await ask<Posting>(POSTINGS);
  const events = await ask<Event>(EVENTS);
  const envelopes = events.map(({ envelope }) => JSON.parse(envelope) as Envelope);

  const balances = checkPostings(postings);
  await checkAccounts(balances, await ask('select id, balance, postings from accounts where marketplace_id = $1'));
  await checkReservations(balances, await ask(`select * from reservations where marketplace_id = $1`));
  checkOrder(events, envelopes);
  checkHead(
    events,
    await ask('select event_position, event_at, audit_seq from marketplaces where marketplace_id = $1'),
  );
  checkCauses(postings, envelopes);
  assert.deepEqual(replay(envelopes), userBalances(balances), 'replaying the events gives the balances');
  await checkAudit(pool, { marketplaceId, envelopes });
  const proof = await proveBooks(pool, marketplaceId);
  assert.deepEqual(
    proof.checks.filter(({ holds }) => !holds),
    [],
  );
  return userBalances(balances);
};

const currencyOf = (account: string): string => account.slice(account.lastIndexOf(':') + 1);

/** Each account's postings count up without a gap and carry the running sum; each command's cancel out. */
const checkPostings = (postings: readonly Posting[]): Map<string, bigint> => {
  const balances = new Map<string, bigint>();
  const seqs = new Map<string, bigint>();
  const sums = new Map<string, bigint>();
  for (const { account, seq, amount, after, counter, command } of postings) {
    balances.set(account, (balances.get(account) ?? 0n) + amount);
    assert.equal(after, balances.get(account), `${account} #${seq} carries the balance after it`);
    assert.equal(seq, (seqs.get(account) ?? 0n) + 1n, `${account} has no gap`);
    seqs.set(account, seq);
    assert.equal(currencyOf(counter), currencyOf(account), 'no posting changes the currency');
    for (const key of [`all in ${currencyOf(account)}`, `${command} in ${currencyOf(account)}`]) {
      sums.set(key, (sums.get(key) ?? 0n) + amount);
    }
    const side = /^(wallet|network):/.test(account) ? -after : after;
    if (!MAY_BE_NEGATIVE.test(account)) assert.ok(side >= 0n, `${account} #${seq} is not overdrawn`);
  }
  const off = [...sums].filter(([, sum]) => sum !== 0n);
  assert.deepEqual(off, [], 'every command and every currency sums to zero');
  return balances;
};

const checkAccounts = (
  balances: ReadonlyMap<string, bigint>,
  accounts: readonly { id: string; balance: bigint }[],
): void => {
  const stored = accounts.map(({ id, balance }) => [id, balance] as const);
  assert.deepEqual(new Map(stored), balances, 'every account equals its postings');
};

type Reservation = { user_id: string; currency: string; remaining: bigint };

const checkReservations = (balances: ReadonlyMap<string, bigint>, reservations: readonly Reservation[]): void => {
  const held = new Map<string, bigint>();
  for (const { user_id, currency, remaining } of reservations) {
    const account = `${user_id}:reserved:${currency}`;
    held.set(account, (held.get(account) ?? 0n) + remaining);
  }
  const reserved = [...balances].filter(([account]) => account.includes(':reserved:'));
  assert.deepEqual(held, new Map(reserved), 'what is reserved is what the reservations hold');
};

const checkOrder = (events: readonly Event[], envelopes: readonly Envelope[]): void => {
  for (const [i, { position, occurredAt }] of events.entries()) {
    assert.equal(position, BigInt(i + 1), 'positions have no gap');
    assert.equal(envelopes[i]!.metadata.position, i + 1, 'the envelope carries its position');
    assert.equal(envelopes[i]!.occurredAt, occurredAt, 'the envelope carries its time');
    if (i > 0) assert.ok(occurredAt > events[i - 1]!.occurredAt, `${occurredAt} is later than the event before`);
  }
};

type Head = { event_position: bigint; event_at: string; audit_seq: bigint };

const checkHead = (events: readonly Event[], heads: readonly Head[]): void => {
  assert.equal(heads[0]?.event_position ?? 0n, BigInt(events.length), 'the head knows the last position');
  const last = events.at(-1);
  if (last) assert.equal(heads[0]?.event_at, last.occurredAt, 'the head knows the last time');
};

/** Every command that moved money emitted an event, and every event about money belongs to a move. */
const checkCauses = (postings: readonly Posting[], envelopes: readonly Envelope[]): void => {
  const told = envelopes.filter(({ eventType }) => eventType.startsWith('balance.'));
  assert.deepEqual(
    new Set(told.map(({ metadata }) => metadata.causationId)),
    new Set(postings.map(({ command }) => command)),
    'commands with postings are the commands with balance events',
  );
  assert.equal(told.length, postings.length / 2, 'one event per transfer');
};

const checkAudit = async (pool: pg.Pool, of: { marketplaceId: string; envelopes: Envelope[] }): Promise<void> => {
  const chain = await createAuditReads(pool).verifyChain(of.marketplaceId);
  assert.deepEqual({ holds: chain.holds, brokenAt: chain.brokenAt }, { holds: true, brokenAt: null });
  const { rows } = await pool.query<{ id: string }>(
    'select correlation_id as id from audit_entries where marketplace_id = $1',
    [of.marketplaceId],
  );
  const audited = new Set(rows.map(({ id }) => id));
  const unaudited = of.envelopes.filter(({ metadata }) => !audited.has(metadata.correlationId));
  assert.deepEqual(unaudited, [], 'every event has an audit entry of the same request');
};

const userBalances = (balances: ReadonlyMap<string, bigint>): Balances => {
  const all: Balances = {};
  for (const [account, balance] of balances) {
    const [user = '', part, currency] = account.split(':');
    if (part !== 'available' && part !== 'reserved') continue;
    all[`${user}/${currency}`] ??= { available: 0n, reserved: 0n };
    all[`${user}/${currency}`]![part] = balance;
  }
  return all;
};

/** The balances as a reader of the events computes them. Each event must also start where the previous one ended. */
const replay = (envelopes: readonly Envelope[]): Balances => {
  const all: Balances = {};
  for (const { eventType, payload } of envelopes) {
    if (!eventType.startsWith('balance.')) continue;
    const key = `${payload.userId}/${payload.currency}`;
    const userBalance = all[key] ?? { available: 0n, reserved: 0n };
    all[key] = userBalance;
    const amount = units(payload.amount!);
    assert.equal(units(payload.previousAvailableBalance!), userBalance.available, `${eventType} starts where it was`);
    if (payload.previousReservedBalance) assert.equal(units(payload.previousReservedBalance), userBalance.reserved);
    if (eventType === 'balance.credited') userBalance.available += amount;
    if (eventType === 'balance.debited') userBalance.available -= amount;
    if (eventType === 'balance.reserved')
      [userBalance.available, userBalance.reserved] = [userBalance.available - amount, userBalance.reserved + amount];
    if (eventType === 'balance.released') {
      userBalance.reserved -= amount;
      if (payload.newAvailableBalance !== payload.previousAvailableBalance) userBalance.available += amount;
    }
    assert.equal(units(payload.newAvailableBalance!), userBalance.available, `${eventType} ends where it says`);
    if (payload.newReservedBalance) assert.equal(units(payload.newReservedBalance), userBalance.reserved);
  }
  return all;
};
