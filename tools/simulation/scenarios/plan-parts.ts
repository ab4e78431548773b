// How the milestones of one order are meant to end, one by one and in which order, and whether the order has a policy. A fork of its own
// decides it, so that everything else about the order stays as it was.

import { policyName } from '../policies/plan-policies.ts';
import type { Random } from '../random.ts';

type PartEnd = 'release' | 'refund' | 'dispute-release' | 'dispute-refund' | 'dispute-split';

export type PartPlan = { readonly ref: string; readonly end: PartEnd };

export type OrderChoices = {
  /** The name of its policy; null: none. */
  readonly policy: string | null;
  /** In the order in which they are paid. Milestones that are not listed end with the order. */
  readonly parts: readonly PartPlan[];
  /** With a policy: the client stops there, and a deadline goes on. */
  readonly stopsAt: 'never' | 'reserved' | 'funded' | 'disputed';
  /** The seller's part of a split, in thousandths. */
  readonly share: number;
  /** How many of a hundred actions are sent as a dry run first. */
  readonly previews: number;
};

const ENDS: Readonly<Record<PartEnd, number>> = {
  release: 40,
  refund: 25,
  'dispute-release': 10,
  'dispute-refund': 10,
  'dispute-split': 15,
};

const shuffled = <T>(random: Random, items: readonly T[]): T[] => {
  const left = [...items];
  return items.map(() => left.splice(random.int(0, left.length - 1), 1)[0]!);
};

const planParts = (random: Random, count: number): PartPlan[] => {
  const refs = Array.from({ length: count }, (_, at) => `m${at}`);
  const some = shuffled(random, refs).slice(0, random.int(1, count));
  return some.map((ref) => ({ ref, end: random.weighed(ENDS) }));
};

export const planChoices = (random: Random, of: { milestones: number }): OrderChoices => ({
  policy: random.is(60) ? policyName(random) : null,
  parts: of.milestones > 1 && random.is(60) ? planParts(random, of.milestones) : [],
  stopsAt: random.weighed({ never: 55, reserved: 15, funded: 15, disputed: 15 }),
  share: random.int(1, 999),
  previews: random.pick([0, 20, 50]),
});

/** The seller's cents of a split; null: too little to split. */
export const splitOf = (cents: number, share: number): number | null =>
  cents < 2 ? null : Math.min(Math.max(Math.trunc((cents * share) / 1_000), 1), cents - 1);
