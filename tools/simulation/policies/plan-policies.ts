// The policies of a seed, by chance: each name has two versions, and the second one is published in the middle of the run. Also what an
// operator does to deadlines in a step, and how the clock of deadlines moves. Nothing here is decided by a clock.

import type { Random } from '../random.ts';

/** Decimal strings, as in the contract. */
export type FeeTerms = {
  readonly percent?: string;
  readonly fixed?: string;
  readonly min?: string;
  readonly max?: string;
};

export type Rules = {
  readonly cancelUnfundedAfter?: string;
  readonly autoReleaseAfter?: string;
  readonly remindBefore?: string[];
  readonly dispute?: { readonly decideWithin: string; readonly then: 'RELEASE' | 'REFUND' | 'REMIND' };
  readonly milestoneInspection?: { readonly within: string; readonly then: 'RELEASE' | 'REMIND' };
  readonly platformFee?: FeeTerms;
};

export type PolicyPlan = { readonly name: string; readonly versions: readonly [Rules, Rules] };

export type OperatorAct = {
  /** The number of calls in the step after which it happens. */
  readonly at: number;
} & (
  | { readonly what: 'advance'; readonly seconds: number }
  /** One of the deadlines that stand then. */
  | { readonly what: 'hold' | 'resume' | 'extend' | 'trigger'; readonly pick: number; readonly hours: number }
);

const POLICIES = 6;
const AFTER = ['PT20M', 'PT2H', 'PT9H', 'P1D', 'P3D', 'P10D'] as const;
const BEFORE = ['PT5M', 'PT1H', 'PT12H', 'P2D'] as const;

const textOf = (cents: number): string => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const planFee = (random: Random): FeeTerms => {
  const min = random.int(0, 300);
  return {
    ...(random.is(80) ? { percent: random.pick(['0', '1', '2.5', '7.77', '12.34', '99']) } : {}),
    ...(random.is(50) ? { fixed: textOf(random.int(0, 150)) } : {}),
    ...(random.is(50) ? { min: textOf(min) } : {}),
    ...(random.is(50) ? { max: textOf(min + random.int(0, 5_000)) } : {}),
  };
};

const planRules = (random: Random): Rules => ({
  ...(random.is(70) ? { cancelUnfundedAfter: random.pick(AFTER) } : {}),
  ...(random.is(70) ? { autoReleaseAfter: random.pick(AFTER) } : {}),
  ...(random.is(60) ? { remindBefore: BEFORE.filter(() => random.is(50)) } : {}),
  ...(random.is(70)
    ? { dispute: { decideWithin: random.pick(AFTER), then: random.pick(['RELEASE', 'REFUND', 'REMIND'] as const) } }
    : {}),
  ...(random.is(30)
    ? { milestoneInspection: { within: random.pick(AFTER), then: random.pick(['RELEASE', 'REMIND'] as const) } }
    : {}),
  ...(random.is(70) ? { platformFee: planFee(random) } : {}),
});

export const planPolicies = (random: Random): PolicyPlan[] =>
  Array.from({ length: POLICIES }, (_, number) => ({
    name: `policy-${number}`,
    versions: [planRules(random), planRules(random)] as const,
  }));

export const policyName = (random: Random): string => `policy-${random.int(0, POLICIES - 1)}`;

const MINUTE = 60;
const DAY = 86_400;

/** Small moves, and in one step of the seed a jump over every duration. */
export const planActs = (random: Random, of: { calls: number; hasJump: boolean }): OperatorAct[] => {
  const at = (): number => random.int(1, of.calls);
  const moves = Array.from({ length: random.int(4, 8) }, () => ({
    at: at(),
    what: 'advance' as const,
    seconds: random.int(MINUTE, 5 * 60 * MINUTE),
  }));
  const acts = Array.from({ length: random.int(4, 12) }, () => ({
    at: at(),
    what: random.weighed({ hold: 30, resume: 25, extend: 25, trigger: 20 }),
    pick: random.int(0, 1_000),
    hours: random.int(1, 240),
  }));
  const jump = of.hasJump ? [{ at: at(), what: 'advance' as const, seconds: 30 * DAY }] : [];
  return [...moves, ...acts, ...jump].sort((a, b) => a.at - b.at);
};
