// Plans at which points the server is killed, and which orders share one kill. Nothing changes between two steps, so the point
// after a step equals the point before the next one. It is tested separately only after submissions and at the end.

import type { Point } from './gate.ts';
import type { Place } from './order-environment.ts';
import type { Saga, SagaName } from './order-saga.ts';
import type { OrderView } from './order-view.ts';

/** An order that ran without a kill, and its steps. */
export type Example = {
  readonly name: SagaName;
  readonly saga: Saga;
  readonly steps: readonly string[];
  readonly view: OrderView;
};

type Target = { readonly example: Example; readonly point: Point };

export type Planned = Target & { readonly place: Place };

/**
 * `all`: every call and every commit. `ends`: every call, and the first and the last commit, which have no call next to them.
 * `submissions`: before the first one, and after the ledger accepted the last one
 * while the server does not know yet. `last submission`: only the latter.
 */
export type Points = 'all' | 'ends' | 'submissions' | 'last submission';

/** The calls that change something at the provider or ledger. Other calls only prepare a later submission. */
const SUBMISSION = /^call .*\/(send-transaction|transactions)$/;

const isCommitStep = (step: string | undefined): boolean => step?.startsWith('commit ') ?? false;

export const isCommit = ({ example, point }: Target): boolean => isCommitStep(example.steps[point.at]);

/** Only the first order of a marketplace activates the platform wallet as well. */
export const isFirst = ({ example }: Target): boolean => example.saga.from === 'reserved';

export const nameOf = ({ example, point: { at, when } }: Target): string =>
  `${example.name}: ${when} step ${at}, ${example.steps[at]}`;

const submissionsOf = (example: Example): Target[] => [
  { example, point: { at: example.steps.findIndex((step) => SUBMISSION.test(step)), when: 'before' } },
  { example, point: { at: example.steps.findLastIndex((step) => SUBMISSION.test(step)), when: 'after' } },
];

export const targetsOf = (example: Example, points: Points): Target[] => {
  if (points === 'submissions') return submissionsOf(example);
  if (points === 'last submission') return submissionsOf(example).slice(1);
  const last = example.steps.length - 1;
  return example.steps.flatMap((step, at) => {
    const isTested = points === 'all' || !isCommitStep(step) || at === 0 || at === last;
    const isTestedAfter = SUBMISSION.test(step) || at === last;
    const before: Target[] = isTested ? [{ example, point: { at, when: 'before' } }] : [];
    const after: Target[] = isTestedAfter ? [{ example, point: { at, when: 'after' } }] : [];
    return [...before, ...after];
  });
};

type Places = {
  /** These marketplaces run one order after the other, each with another server process. */
  readonly shared: readonly Place[];
  /** These marketplaces have had no order. */
  readonly fresh: readonly Place[];
  laneOf(marketplaceId: string): number;
};

/** One order per marketplace at a time. At commits also one per connection, because the connection stops with the order. */
export const planRounds = (targets: readonly Target[], { shared, fresh, laneOf }: Places): Planned[][] => {
  const rounds: Planned[][] = [];
  const unused = new Set(fresh);

  const isFree = (round: readonly Planned[], { place, ...target }: Planned): boolean =>
    !round.some(
      (other) =>
        other.place === place ||
        (isCommit(other) && isCommit(target) && laneOf(other.place.marketplaceId) === laneOf(place.marketplaceId)),
    );

  const plan = (target: Target): void => {
    const places = isFirst(target) ? [...unused] : shared;
    for (let at = 0; at <= rounds.length; at++) {
      const round = rounds[at] ?? [];
      const place = places.find((one) => isFree(round, { ...target, place: one }));
      if (!place) continue;
      rounds[at] = [...round, { ...target, place }];
      unused.delete(place);
      return;
    }
    throw new Error('there is no place for it');
  };

  // Orders that stop at commits have the fewest free places. They run last, because a stopped connection blocks later commits.
  for (const target of targets.filter(isCommit)) plan(target);
  for (const target of targets) if (!isCommit(target)) plan(target);
  return rounds.map((round) => round.toReversed());
};
