// Runs each saga once without a kill to record its steps, then once for every point with the server killed there. The next
// server gets no information about the kill. At the end each order must equal the order that ran without a kill.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Any, type Environment, openEnvironment, type Place } from './order-environment.ts';
import {
  type Example,
  isCommit,
  isFirst,
  nameOf,
  type Planned,
  type Points,
  planRounds,
  targetsOf,
} from './order-plan.ts';
import { makeWaiting, SAGAS, type SagaName, type Waiting } from './order-saga.ts';
import { assertSound, type Numbers, numbersNow, viewSince } from './order-view.ts';

type Case = Planned & { readonly waiting: Waiting };

/** `isUntouched`: nothing of the saga was durable when the server was killed. */
type Stopped = Case & { readonly before: Numbers; readonly isUntouched: boolean; readonly asked: Promise<unknown> };

type Killed = Stopped & { readonly error: unknown };

type KillResult = { readonly killed: readonly Killed[] };

/** The jobs that resume open operations. Other jobs would only add steps of their own. */
const RESUMING = ['resume-operations', 'resume-transactions', 'activate-wallets', 'poll-escrows'];

/** The timeout of a test: it creates many orders, and the machine may be busy. */
export const TIMEOUT_MS = 900_000;

const askFor = (environment: Environment, waiting: Waiting) => {
  const { saga, key } = waiting;
  return environment.ask(saga.request(waiting), { key, ...(saga.body ? { body: saga.body } : {}) });
};

const complete = async (environment: Environment, waiting: Waiting): Promise<void> => {
  const answer = await askFor(environment, waiting);
  assert.ok(answer && answer.status < 300, `${answer?.status} ${answer?.text}`);
};

const seeOrder = async ({ expect }: Environment, { orderId, key }: Waiting): Promise<Any> => {
  const { status, escrow, operation } = await expect(`GET /orders/${orderId}`, { key });
  return { states: [status, escrow?.status ?? null], operation };
};

const balancesAt = ({ expect }: Environment, { key, buyer, seller }: Place): Promise<string[]> =>
  Promise.all(
    [buyer, seller].map(async (userId) => {
      const { available, reserved } = await expect(`GET /users/${userId}/balance`, { key });
      return `${available} + ${reserved}`;
    }),
  );

const observe = async (
  environment: Environment,
  { place, name }: { place: Place; name: SagaName },
): Promise<Example> => {
  const saga = SAGAS[name];
  const waiting = await makeWaiting(environment, { place, saga });
  await environment.untilRest([place]);
  const before = await numbersNow(environment, waiting);
  const { seen: steps } = environment.gate.begin(place.marketplaceId, null);
  await complete(environment, waiting);
  environment.gate.end();
  const view = await viewSince(environment, { waiting, before });
  const { order, events, moves, failed, contracts } = view;
  const [buyer, seller] = await balancesAt(environment, place);
  assert.deepEqual(
    { order, buyer, seller, events, moves, failed, contracts: contracts.length },
    {
      order: saga.after,
      buyer: saga.buyer,
      seller: saga.seller,
      events: saga.events,
      moves: saga.moves.toSorted(),
      failed: [],
      contracts: 1,
    },
  );
  await assertSound(environment, waiting);
  return { name, saga, steps, view };
};

/** Runs the order up to its point, where it stays until the server is killed. */
const stopAtPoint = async (environment: Environment, one: Case): Promise<Stopped> => {
  const { example, point, waiting } = one;
  const before = await numbersNow(environment, waiting);
  const turn = environment.gate.begin(waiting.marketplaceId, point);
  const asked = askFor(environment, waiting);
  assert.equal(await Promise.race([asked, turn.stopped]), undefined, `${nameOf(one)}: it was not stopped`);
  assert.deepEqual(turn.seen, example.steps.slice(0, point.at + 1), nameOf(one));
  const { states, operation } = await seeOrder(environment, waiting);
  environment.gate.end();
  // The payment of one milestone does not change the status of the order: after its last commit it is done.
  const isDone = point.when === 'after' && point.at === example.steps.length - 1;
  const isUntouched = operation === null && states[0] === example.saga.before[0] && !isDone;
  return { ...one, asked, before, isUntouched };
};

/** A claimed operation has ended without another request. An unclaimed order is unchanged, and a repeated request completes it. */
const assertEnd = async (environment: Environment, one: Stopped): Promise<void> => {
  const { example, waiting, before, isUntouched } = one;
  const { saga, view } = example;
  assert.equal(await one.asked, null, `${nameOf(one)}: its request got no answer`);
  const { states } = await seeOrder(environment, waiting);
  assert.deepEqual(states, isUntouched ? saga.before : saga.after, nameOf(one));
  if (isUntouched) await complete(environment, waiting);
  await environment.untilRest([waiting]);
  assert.deepEqual(await viewSince(environment, { waiting, before }), view, nameOf(one));
  await assertSound(environment, waiting);
};

/** The treasury of this order has a signed transaction that was not sent. A job of the next server resumes it. */
const isResumedByJob = ({ example, point }: Case): boolean => isFirst({ example, point }) && point.when === 'before';

/** Starts a server and kills it when a job is about to change something for this order. */
const killInJob = async (environment: Environment, { waiting }: Case): Promise<void> => {
  const turn = environment.gate.begin(waiting.marketplaceId, { at: 0, when: 'before' });
  await environment.start();
  await turn.stopped;
  environment.gate.end();
  await environment.kill();
};

/** Kills the server while all orders wait at their points, and starts another one without any information about them. */
const killOnce = async (
  environment: Environment,
  cases: readonly Case[],
  { inJob }: { inJob: boolean },
): Promise<Killed[]> => {
  await environment.allowJobs([]);
  const stopped: Stopped[] = [];
  for (const one of cases) stopped.push(await stopAtPoint(environment, one));
  await environment.kill();
  await environment.allowJobs(RESUMING);
  if (inJob) await killInJob(environment, cases.find(isResumedByJob)!);
  await environment.start();
  await environment.untilRest(cases.map(({ waiting }) => waiting));
  return environment.each(stopped, async (one) => {
    const error = await assertEnd(environment, one).then(
      () => null,
      (found: unknown) => found,
    );
    return { ...one, error };
  });
};

const openPlaces = async (environment: Environment, length: number): Promise<Place[]> => {
  await environment.start();
  const places = await environment.each(Array.from({ length }), environment.makePlace);
  await environment.untilRest(places);
  await environment.fillTreasuries(places);
  await environment.stop();
  await environment.start();
  await environment.untilFilled(places);
  return places;
};

const enrich = ({ expect }: Environment, { key, buyer }: Place, amount: string) =>
  expect(`POST /users/${buyer}/balance/credit`, { key, body: { amount } });

/** Resolved in favour of the seller, so that no money stays in the wallet of the buyer. */
const RESOLVED = { ...SAGAS.split, body: { decision: 'FULL_RELEASE' } };

/** One released and one resolved order: every wallet has signed and has its network fees, so that all later orders have the same steps. */
const payNetworkFees = async (environment: Environment, place: Place): Promise<void> => {
  await enrich(environment, place, '200.00');
  for (const saga of [SAGAS.release, RESOLVED]) {
    await complete(environment, await makeWaiting(environment, { place, saga }));
  }
  const body = { amount: '190.00' };
  await environment.expect(`POST /users/${place.seller}/balance/debit`, { key: place.key, body });
};

/** A marketplace that is used for more than one kill. */
const areReused = (sagas: KillOptions['sagas']): boolean =>
  Object.values(sagas).some((points) => !points.endsWith('submission') && points !== 'submissions');

type KillOptions = {
  readonly sagas: Partial<Record<SagaName, Points>>;
  readonly sharedPlaces: number;
  /** Whether the first server after the first kill is killed too, in the middle of a job. */
  readonly inJob?: boolean;
};

export const killAtPoints = async (
  t: TestContext,
  { sagas, sharedPlaces, inJob = false }: KillOptions,
): Promise<KillResult> => {
  const environment = await openEnvironment(t);
  const names = Object.keys(sagas) as SagaName[];
  const places = await openPlaces(environment, names.length + sharedPlaces);
  await environment.allowJobs([]);
  const isPrepared = (_: Place, at: number): boolean =>
    areReused(sagas) && SAGAS[names[at] ?? 'fund'].from !== 'reserved';
  await environment.each(places.filter(isPrepared), (place) => payNetworkFees(environment, place));
  await environment.each(places, (place) => enrich(environment, place, '1000.00'));

  const examples: Example[] = [];
  for (const [at, name] of names.entries()) examples.push(await observe(environment, { place: places[at]!, name }));
  const targets = examples.flatMap((example) => targetsOf(example, sagas[example.name]!));
  const fresh = await environment.each(targets.filter(isFirst), environment.makePlace);
  await environment.each(fresh, (place) => enrich(environment, place, '1000.00'));
  const shared = places.slice(names.length);
  const rounds: Case[][] = [];
  for (const round of planRounds(targets, { shared, fresh, laneOf: environment.laneOf })) {
    const make = async (one: Planned): Promise<Case> => ({
      ...one,
      waiting: await makeWaiting(environment, { place: one.place, saga: one.example.saga }),
    });
    rounds.push(await environment.each(round, make));
  }
  await environment.untilRest(rounds.flat().map(({ place }) => place));

  const killed: Killed[] = [];
  for (const [at, round] of rounds.entries()) {
    killed.push(...(await killOnce(environment, round, { inJob: inJob && at === 0 })));
  }
  t.diagnostic(`${killed.length} orders, the server was killed ${rounds.length} times`);
  return { killed };
};

/** Returns every order of the saga that a kill interrupted, after it has checked that all of them ended correctly. */
const endedCorrectly = ({ killed }: KillResult, name: SagaName): Killed[] => {
  const own = killed.filter(({ example }) => example.name === name);
  assert.ok(own.length > 0);
  for (const { error } of own) if (error) throw error;
  return own;
};

/** For a saga that was killed at its submissions: before the first one, or after the last one. */
export const assertEndOfSubmitted = (result: KillResult, name: SagaName, when: 'before' | 'after' = 'after'): void => {
  const own = endedCorrectly(result, name).filter(({ point }) => point.when === when);
  assert.equal(own.length, 1);
  // The operation of an order is recorded before its own transaction, and after the one that its wallets need.
  assert.equal(own[0]!.isUntouched, when === 'before');
};

/** For a saga that was killed at all of its calls. */
export const assertEnds = (result: KillResult, name: SagaName): void => {
  const own = endedCorrectly(result, name);
  assert.ok(own.some(isCommit) && !own.every(isCommit), 'kills happened at calls and at commits');
  assert.ok(own.some(({ isUntouched }) => isUntouched) && own.some(({ isUntouched }) => !isUntouched));
};
