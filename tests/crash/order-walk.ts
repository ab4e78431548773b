// Walks sagas: each first undisturbed, to see its steps, then once for every point, with the server killed right there. The
// next server is told nothing. In the end each of these orders must look like the one that nobody disturbed.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
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
import { type Any, openTown, type Place, type Town } from './order-town.ts';
import { assertSound, type Numbers, numbersNow, worldSince } from './order-world.ts';

type Case = Planned & { readonly waiting: Waiting };

/** `isUntouched`: nothing of the saga was durable when the server was killed. */
type Stopped = Case & { readonly before: Numbers; readonly isUntouched: boolean; readonly asked: Promise<unknown> };

type Killed = Stopped & { readonly error: unknown };

export type Walk = { readonly killed: readonly Killed[] };

/** Those that carry on what was left open. Others would only add steps of their own. */
const RESUMING = ['resume-operations', 'resume-transactions', 'activate-wallets', 'poll-escrows'];

/** Of a test: it makes many orders, and the machine may have other things to do. */
export const PATIENCE_MS = 900_000;

const askFor = (town: Town, waiting: Waiting) => {
  const { saga, key } = waiting;
  return town.ask(saga.request(waiting), { key, ...(saga.body ? { body: saga.body } : {}) });
};

const complete = async (town: Town, waiting: Waiting): Promise<void> => {
  const answer = await askFor(town, waiting);
  assert.ok(answer && answer.status < 300, `${answer?.status} ${answer?.text}`);
};

const seeOrder = async ({ expect }: Town, { orderId, key }: Waiting): Promise<Any> => {
  const { status, escrow, operation } = await expect(`GET /orders/${orderId}`, { key });
  return { states: [status, escrow?.status ?? null], operation };
};

const balancesAt = ({ expect }: Town, { key, buyer, seller }: Place): Promise<string[]> =>
  Promise.all(
    [buyer, seller].map(async (userId) => {
      const { available, reserved } = await expect(`GET /users/${userId}/balance`, { key });
      return `${available} + ${reserved}`;
    }),
  );

const observe = async (town: Town, { place, name }: { place: Place; name: SagaName }): Promise<Example> => {
  const saga = SAGAS[name];
  const waiting = await makeWaiting(town, { place, saga });
  await town.untilRest([place]);
  const before = await numbersNow(town, waiting);
  const { seen: steps } = town.gate.begin(place.marketplaceId, null);
  await complete(town, waiting);
  town.gate.end();
  const world = await worldSince(town, { waiting, before });
  const { order, events, moves, failed, contracts } = world;
  const [buyer, seller] = await balancesAt(town, place);
  assert.deepEqual(
    { order, buyer, seller, events, moves, failed, contracts: contracts.length },
    {
      ...{ order: saga.after, buyer: saga.buyer, seller: saga.seller, events: saga.events },
      ...{ moves: saga.moves.toSorted(), failed: [], contracts: 1 },
    },
  );
  await assertSound(town, waiting);
  return { name, saga, steps, world };
};

/** The order goes up to its point and stays there until the server is killed. */
const stopAtPoint = async (town: Town, one: Case): Promise<Stopped> => {
  const { example, point, waiting } = one;
  const before = await numbersNow(town, waiting);
  const turn = town.gate.begin(waiting.marketplaceId, point);
  const asked = askFor(town, waiting);
  assert.equal(await Promise.race([asked, turn.stopped]), undefined, `${nameOf(one)}: it was not stopped`);
  assert.deepEqual(turn.seen, example.steps.slice(0, point.at + 1), nameOf(one));
  const { states, operation } = await seeOrder(town, waiting);
  town.gate.end();
  return { ...one, asked, before, isUntouched: operation === null && states[0] === example.saga.before[0] };
};

/** What was claimed has ended by itself; what was not is untouched, and goes to its end when it is asked for again. */
const assertEnd = async (town: Town, one: Stopped): Promise<void> => {
  const { example, waiting, before, isUntouched } = one;
  const { saga, world } = example;
  assert.equal(await one.asked, null, `${nameOf(one)}: nobody was told of its end`);
  const { states } = await seeOrder(town, waiting);
  assert.deepEqual(states, isUntouched ? saga.before : saga.after, nameOf(one));
  if (isUntouched) await complete(town, waiting);
  await town.untilRest([waiting]);
  assert.deepEqual(await worldSince(town, { waiting, before }), world, nameOf(one));
  await assertSound(town, waiting);
};

/** An order whose treasury has a signed transaction that was not sent: a job of the next server resumes it. */
const isResumedByJob = ({ example, point }: Case): boolean => isFirst({ example, point }) && point.when === 'before';

/** Starts a server and kills it when a job is about to change something for this order. */
const killInJob = async (town: Town, { waiting }: Case): Promise<void> => {
  const turn = town.gate.begin(waiting.marketplaceId, { at: 0, when: 'before' });
  await town.start();
  await turn.stopped;
  town.gate.end();
  await town.kill();
};

/** Kills the server with all of them at their points, and starts another one, which nobody tells anything. */
const killOnce = async (town: Town, cases: readonly Case[], { inJob }: { inJob: boolean }): Promise<Killed[]> => {
  await town.letWork([]);
  const stopped: Stopped[] = [];
  for (const one of cases) stopped.push(await stopAtPoint(town, one));
  await town.kill();
  await town.letWork(RESUMING);
  if (inJob) await killInJob(town, cases.find(isResumedByJob)!);
  await town.start();
  await town.untilRest(cases.map(({ waiting }) => waiting));
  return town.each(stopped, async (one) => {
    const error = await assertEnd(town, one).then(
      () => null,
      (found: unknown) => found,
    );
    return { ...one, error };
  });
};

const openPlaces = async (town: Town, length: number): Promise<Place[]> => {
  await town.start();
  const places = await town.each(Array.from({ length }), town.makePlace);
  await town.untilRest(places);
  await town.fillTreasuries(places);
  await town.stop();
  await town.start();
  await town.untilFilled(places);
  return places;
};

type WalkOptions = {
  readonly sagas: Partial<Record<SagaName, Points>>;
  readonly sharedPlaces: number;
  /** Whether the first server after the first kill is killed too, in the middle of a job. */
  readonly inJob?: boolean;
};

export const walk = async (t: TestContext, { sagas, sharedPlaces, inJob = false }: WalkOptions): Promise<Walk> => {
  const town = await openTown(t);
  const names = Object.keys(sagas) as SagaName[];
  const places = await openPlaces(town, names.length + sharedPlaces);
  await town.letWork([]);
  const enrich = ({ key, buyer }: Place) =>
    town.expect(`POST /users/${buyer}/balance/credit`, { key, body: { amount: '1000.00' } });
  await town.each(places, enrich);

  const examples: Example[] = [];
  for (const [at, name] of names.entries()) examples.push(await observe(town, { place: places[at]!, name }));
  const targets = examples.flatMap((example) => targetsOf(example, sagas[example.name]!));
  const fresh = await town.each(targets.filter(isFirst), town.makePlace);
  await town.each(fresh, enrich);
  const shared = places.slice(names.length);
  const rounds: Case[][] = [];
  for (const round of planRounds(targets, { shared, fresh, laneOf: town.laneOf })) {
    const make = async (one: Planned): Promise<Case> => ({
      ...one,
      waiting: await makeWaiting(town, { place: one.place, saga: one.example.saga }),
    });
    rounds.push(await town.each(round, make));
  }
  await town.untilRest(rounds.flat().map(({ place }) => place));

  const killed: Killed[] = [];
  for (const [at, round] of rounds.entries()) {
    killed.push(...(await killOnce(town, round, { inJob: inJob && at === 0 })));
  }
  t.diagnostic(`${killed.length} orders, the server was killed ${rounds.length} times`);
  return { killed };
};

/** Every order of the saga that the server was killed with, and all of them ended right. */
const endedRight = ({ killed }: Walk, name: SagaName): Killed[] => {
  const own = killed.filter(({ example }) => example.name === name);
  assert.ok(own.length > 0);
  for (const { error } of own) if (error) throw error;
  return own;
};

/** For a saga that was walked at its submissions: those that were killed before the first one, or after the last one. */
export const assertEndOfSubmitted = (walked: Walk, name: SagaName, when: 'before' | 'after' = 'after'): void => {
  const own = endedRight(walked, name).filter(({ point }) => point.when === when);
  assert.equal(own.length, 1);
  // The operation of an order is recorded before its own transaction, and after the one that its wallets need.
  assert.equal(own[0]!.isUntouched, when === 'before');
};

/** For a saga that was walked at all of its calls. */
export const assertEnds = (walked: Walk, name: SagaName): void => {
  const own = endedRight(walked, name);
  assert.ok(own.some(isCommit) && !own.every(isCommit), 'it was killed at calls and at commits');
  assert.ok(own.some(({ isUntouched }) => isUntouched) && own.some(({ isUntouched }) => !isUntouched));
};
