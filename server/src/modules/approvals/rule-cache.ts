// The approval rules in memory, so that a request without a rule needs no query. A change is announced to all servers; the time limit is
// only for a lost announcement.

import type { Clock } from '../../base/instant.ts';
import type { ApprovalRule } from './rules.ts';

type Kept = { readonly rules: readonly ApprovalRule[]; readonly readAt: number };

type Options = {
  find(marketplaceId: string): Promise<readonly ApprovalRule[]>;
  readonly clock: Clock;
};

const TTL_MICROS = 5_000_000;
const MARKETPLACES_MAX = 10_000;

export const createRuleCache = ({ find, clock }: Options) => {
  const kept = new Map<string, Kept>();
  // Rules that were read before a change and arrive after it may be out of date, so they are not kept.
  let changes = 0;

  const load = async (marketplaceId: string): Promise<readonly ApprovalRule[]> => {
    const before = changes;
    const readAt = clock();
    const rules = await find(marketplaceId);
    if (before === changes) {
      kept.delete(marketplaceId);
      kept.set(marketplaceId, { rules, readAt });
      if (kept.size > MARKETPLACES_MAX) kept.delete(kept.keys().next().value!);
    }
    return rules;
  };

  return {
    /** Without a promise when the rules are in memory. */
    rulesOf(marketplaceId: string): readonly ApprovalRule[] | Promise<readonly ApprovalRule[]> {
      const known = kept.get(marketplaceId);
      const age = known ? clock() - known.readAt : TTL_MICROS;
      return known && age >= 0 && age < TTL_MICROS ? known.rules : load(marketplaceId);
    },
    forget(marketplaceIds: readonly string[]): void {
      changes++;
      for (const id of marketplaceIds) kept.delete(id);
    },
    forgetAll(): void {
      changes++;
      kept.clear();
    },
  };
};

export type RuleCache = ReturnType<typeof createRuleCache>;
