// Runs each kind of withdrawal once without a kill to record its steps, then once for every planned point with the server killed
// there. The next server gets no information about the kill. At the end each withdrawal must have been paid once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { compareBooksWithLedger } from '../../tools/books-and-ledger.ts';
import { MASTER_KEY } from '../../tools/processes/server-process.ts';
import { balances, type Ledger, ledgerOf, settle } from '../../tools/simulation/ledger-accounts.ts';
import { until } from '../../tools/until.ts';
import type { Point } from '../crash/gate.ts';
import { type Any, type Environment, openEnvironment, type Place } from '../crash/order-environment.ts';

type Kind = 'bank' | 'crypto' | 'at once';

/** A withdrawal before its request. It has no id until a server has created it. */
type Waiting = Place & {
  readonly kind: Kind;
  readonly id: string | null;
  readonly address: string | null;
  readonly idempotencyKey: string;
};

type Target = { readonly kind: Kind; readonly point: Point; readonly step: string };
type Planned = Target & { readonly place: Place };
type Stopped = Planned & { readonly waiting: Waiting; readonly asked: Promise<unknown> };

type KillRun = { readonly environment: Environment; readonly ledger: Ledger; readonly places: readonly Place[] };

/** The timeout of a test: it creates many withdrawals, and the machine may be busy. */
export const TIMEOUT_MS = 300_000;

const KINDS: readonly Kind[] = ['bank', 'at once', 'crypto'];
const PLACES = 8;
/** Two calls of each kind, and one commit. */
const SUBMISSIONS = 7;
const RESUMING = ['resume-transactions'];
const EMAIL = 'ada@bank.example';

const isCommit = ({ step }: Pick<Target, 'step'>): boolean => step.startsWith('commit ');

const nameOf = ({ kind, point: { at, when }, step }: Target): string => `${kind}: ${when} step ${at}, ${step}`;

const bodyOf = ({ buyer, address }: Pick<Waiting, 'buyer' | 'address'>, commit: boolean) => ({
  userId: buyer,
  amount: '25.50',
  currency: 'USD',
  commit,
  destination: address === null ? { type: 'bank', email: EMAIL } : { type: 'crypto', address },
});

const makeWaiting = async ({ environment, ledger }: KillRun, place: Place, kind: Kind): Promise<Waiting> => {
  const address = kind === 'crypto' ? (await settle(ledger)).publicKey() : null;
  const waiting = { ...place, kind, id: null, address, idempotencyKey: randomUUID() };
  await environment.expect(`POST /users/${place.buyer}/balance/credit`, { key: place.key, body: { amount: '25.50' } });
  if (kind === 'at once') return waiting;
  const { id } = await environment.expect('POST /withdrawals', { key: place.key, body: bodyOf(waiting, false) });
  return { ...waiting, id };
};

/** The request that a kill interrupts, and that may be repeated. */
const askFor = ({ environment }: KillRun, waiting: Waiting) => {
  const { id, key, idempotencyKey } = waiting;
  if (id !== null) return environment.ask(`POST /withdrawals/${id}/commit`, { key });
  const headers = { 'idempotency-key': idempotencyKey };
  return environment.ask('POST /withdrawals', { key, body: bodyOf(waiting, true), headers });
};

const payoutsOf = ({ environment }: KillRun, id: string): Any[] =>
  ((environment.sandbox.describe() as Any).payouts as Any[]).filter(({ code }) => code === id);

/** The withdrawal is at the provider or paid, so that the server has nothing left to do. */
const untilSentOrPaid = async (run: KillRun, id: string, kind: Kind): Promise<void> => {
  const { environment } = run;
  const find = async () =>
    (await environment.sql('select status, provider_payout_id from withdrawals where id = $1', [id]))[0];
  await until(async () => {
    const row = await find();
    if (kind === 'crypto') return row.status === 'WITHDRAWAL_COMPLETED';
    return row.provider_payout_id !== null && payoutsOf(run, id).some(({ status }) => status === 'COMMITTED');
  }, `${id} is sent or paid`);
};

const assertPaidOnce = async (run: KillRun, waiting: Waiting & { id: string }): Promise<void> => {
  const { environment, ledger } = run;
  const { id, key, address, kind, marketplaceId } = waiting;
  if (kind === 'crypto') assert.equal((await balances(ledger, address!)).usdc, '25.5000000');
  else {
    assert.deepEqual(
      payoutsOf(run, id).map(({ status, amount }) => [status, amount]),
      [['COMMITTED', 25.5]],
    );
    const answer = await fetch(`${environment.sandbox.urls.control}/payouts/${id}/complete`, { method: 'POST' });
    assert.ok(answer.ok);
    await environment.expect(`POST /withdrawals/${id}/refresh`, { key });
  }
  const { status } = await environment.expect(`GET /withdrawals/${id}`, { key });
  assert.equal(status, 'WITHDRAWAL_COMPLETED');
  const moves = await environment.sql(
    `select move from postings where marketplace_id = $1 and reference = $2 and amount < 0 and account_id like 'usr%'
     order by audit_seq`,
    [marketplaceId, id],
  );
  assert.deepEqual(
    moves.map(({ move }) => move),
    ['reserve', kind === 'crypto' ? 'withdrawal_paid' : 'payout'],
  );
};

/** The proof of the books holds, and the books of the marketplace agree with the ledger. */
const assertSound = async ({ environment }: KillRun, { marketplaceId, key, buyer }: Place): Promise<void> => {
  const { available, reserved } = await environment.expect(`GET /users/${buyer}/balance`, { key });
  assert.deepEqual([available, reserved], ['0.00', '0.00']);
  const { checks } = await environment.expect('GET /audit/proof', { key });
  assert.deepEqual(
    checks.filter(({ holds }: Any) => !holds),
    [],
  );
  const state = environment.sandbox.describe();
  assert.deepEqual(await compareBooksWithLedger({ sql: environment.sql, state, marketplaceId }), []);
};

/** Runs a withdrawal without a kill and records its steps. */
const observe = async (run: KillRun, place: Place, kind: Kind): Promise<Target[]> => {
  const { environment } = run;
  const waiting = await makeWaiting(run, place, kind);
  await environment.untilRest([place]);
  const { seen } = environment.gate.begin(place.marketplaceId, null);
  const answer = await askFor(run, waiting);
  assert.ok(answer && answer.status < 300, `${answer?.status} ${answer?.text}`);
  const { id } = JSON.parse(answer.text).data;
  await untilSentOrPaid(run, id, kind);
  environment.gate.end();
  await assertPaidOnce(run, { ...waiting, id });
  const last = seen.length - 1;
  return seen.flatMap((step, at): Target[] => [
    { kind, step, point: { at, when: 'before' } },
    // The point after a commit equals the point before the next step.
    ...(step.startsWith('call ') || at === last ? [{ kind, step, point: { at, when: 'after' } } as const] : []),
  ]);
};

/** One withdrawal per marketplace at a time. At commits also one per connection, because the connection stops with it. */
const planRounds = ({ environment, places }: KillRun, targets: readonly Target[]): Planned[][] => {
  const rounds: Planned[][] = [];
  const laneOf = ({ marketplaceId }: Place) => environment.laneOf(marketplaceId);
  const isFree = (round: readonly Planned[], one: Planned): boolean =>
    !round.some(
      (other) =>
        other.place === one.place || (isCommit(other) && isCommit(one) && laneOf(other.place) === laneOf(one.place)),
    );
  for (const target of targets) {
    for (let at = 0; ; at++) {
      const round = rounds[at] ?? [];
      const place = places.find((each) => isFree(round, { ...target, place: each }));
      if (!place) continue;
      rounds[at] = [...round, { ...target, place }];
      break;
    }
  }
  // A stopped commit blocks later ones, so commits come last.
  return rounds.map((round) => round.toSorted((a, b) => Number(isCommit(a)) - Number(isCommit(b))));
};

const stopAtPoint = async (run: KillRun, one: Planned & { waiting: Waiting }): Promise<Stopped> => {
  const { environment } = run;
  const turn = environment.gate.begin(one.place.marketplaceId, one.point);
  const asked = askFor(run, one.waiting);
  // This kind is answered before it is paid, so the answer does not end the race.
  const isAnswered = one.kind === 'at once';
  const first = await Promise.race(isAnswered ? [turn.stopped] : [asked, turn.stopped]);
  assert.equal(first, undefined, `${nameOf(one)}: it was not stopped`);
  environment.gate.end();
  return { ...one, asked };
};

const assertEnd = async (run: KillRun, one: Stopped): Promise<void> => {
  const { environment } = run;
  const { waiting, kind, place } = one;
  const { id, key } = waiting;
  if (id === null) {
    // The client repeats the request, whether it got an answer or not.
    const answer = await askFor(run, waiting);
    assert.equal(answer?.status, 201, `${nameOf(one)}: ${answer?.text}`);
    const made = JSON.parse(answer.text).data.id;
    const rows = await environment.sql(
      "select id from withdrawals where marketplace_id = $1 and status <> 'WITHDRAWAL_COMPLETED'",
      [place.marketplaceId],
    );
    assert.deepEqual(rows, [{ id: made }], nameOf(one));
    await untilSentOrPaid(run, made, kind);
    return assertPaidOnce(run, { ...waiting, id: made });
  }
  const { status } = await environment.expect(`GET /withdrawals/${id}`, { key });
  // Nothing was stored: the withdrawal is unchanged, and the client repeats the commit.
  if (status === 'WITHDRAWAL_CREATED') assert.equal((await askFor(run, waiting))?.status, 200, nameOf(one));
  await untilSentOrPaid(run, id, kind);
  await assertPaidOnce(run, { ...waiting, id });
};

/** A server and marketplaces with filled treasuries, which that server has not polled yet. */
const openPlaces = async (t: TestContext, length: number): Promise<KillRun> => {
  const environment = await openEnvironment(t);
  await environment.start();
  const places = await environment.each(Array.from({ length }), environment.makePlace);
  const body = { amount: '1000000.00', currency: 'USD' };
  for (const { marketplaceId: id } of places) {
    await environment.expect(`PUT /marketplaces/${id}/credit-line`, { key: MASTER_KEY, body });
  }
  await environment.untilRest(places);
  await environment.fillTreasuries(places);
  return { environment, ledger: ledgerOf(environment.sandbox), places };
};

const openRun = async (t: TestContext): Promise<KillRun> => {
  const run = await openPlaces(t, PLACES);
  const { environment, places } = run;
  await environment.stop();
  await environment.start();
  await environment.untilFilled(places);
  await environment.allowJobs([]);
  // A commit in each marketplace, so that its connection in this server process is known.
  await environment.each(places, async ({ key, buyer }) => {
    for (const how of ['credit', 'debit']) {
      await environment.expect(`POST /users/${buyer}/balance/${how}`, { key, body: { amount: '1.00' } });
    }
  });
  return run;
};

/** The server reads a treasury, and the treasury pays network fees, at the first need: one withdrawal before steps are counted. */
const useOnce = async (run: KillRun): Promise<KillRun> => {
  const { environment, places } = run;
  await environment.each(places, async (place) => {
    const waiting = await makeWaiting(run, place, 'crypto');
    assert.equal((await askFor(run, waiting))?.status, 200);
    await untilSentOrPaid(run, waiting.id!, 'crypto');
  });
  await environment.untilRest(places);
  return run;
};

const openUsedPlaces = async (t: TestContext, length: number): Promise<KillRun> => {
  const run = await openPlaces(t, length);
  await run.environment.allowJobs([]);
  return useOnce(run);
};

const killInRounds = async (run: KillRun, rounds: readonly Planned[][]): Promise<void> => {
  const { environment, places } = run;
  for (const round of rounds) {
    const cases = await environment.each(round, async (one) => ({
      ...one,
      waiting: await makeWaiting(run, one.place, one.kind),
    }));
    await environment.untilRest(places);
    await environment.allowJobs([]);
    const stopped: Stopped[] = [];
    for (const one of cases) stopped.push(await stopAtPoint(run, one));
    await environment.kill();
    await environment.allowJobs(RESUMING);
    await environment.start();
    await environment.each(stopped, (one) => assertEnd(run, one));
  }
  await environment.untilRest(places);
  for (const place of places) await assertSound(run, place);
};

const observeAll = async (run: KillRun, kinds: readonly Kind[]): Promise<Target[]> => {
  const targets: Target[] = [];
  for (const [at, kind] of kinds.entries()) targets.push(...(await observe(run, run.places[at]!, kind)));
  return targets;
};

/** Kills the server at every point. Returns the number of points. */
export const killAtEveryPoint = async (t: TestContext, kinds: readonly Kind[]): Promise<number> => {
  const run = kinds.includes('crypto') ? await useOnce(await openRun(t)) : await openRun(t);
  const targets = await observeAll(run, kinds);
  const rounds = planRounds(run, targets);
  await killInRounds(run, rounds);
  t.diagnostic(`${targets.length} withdrawals, the server was killed ${rounds.length} times`);
  return targets.length;
};

/**
 * One kill: before the first commit of a withdrawal that is created and committed in one request, and for each kind right after
 * the provider or the ledger accepted it, while the server does not know yet.
 */
export const killAfterSubmissions = async (t: TestContext): Promise<number> => {
  const run = await openUsedPlaces(t, SUBMISSIONS);
  const isChosen = (one: Target): boolean =>
    isCommit(one) ? one.kind === 'at once' && one.point.at === 0 : one.point.when === 'after';
  const targets = (await observeAll(run, KINDS)).filter(isChosen);
  const rounds = planRounds(run, targets);
  assert.equal(rounds.length, 1, 'one kill is enough');
  await killInRounds(run, rounds);
  for (const kind of KINDS) assert.ok(targets.filter((one) => one.kind === kind && !isCommit(one)).length >= 2, kind);
  return targets.length;
};
