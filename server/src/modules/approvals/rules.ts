// The approval rules of a marketplace: one row, replaced as a whole. Checks new rules, and says whether a rule binds a request.

import type { ApprovalRule as RuleRecord } from '@holdfast/contract/api/approvals.ts';
import type { ApprovalAction } from '@holdfast/contract/states.ts';
import type { Static } from 'typebox';
import { parseAmount } from '../../books/money.ts';
import { command } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';
import type { Weighed } from '../../http/approval-terms.ts';
import type { Caller } from '../../http/caller.ts';
import { validationError } from '../../http/validation/messages.ts';

export type ApprovalRule = Static<typeof RuleRecord>;

type RuleSet = { readonly id: string; readonly rules: readonly ApprovalRule[]; readonly updatedAt: string };

declare module '../../commit/tables.ts' {
  interface Tables {
    approvalRules: RuleSet;
  }
  interface Lookups {
    approvalRules: Record<never, string>;
  }
}

declare module '../../commit/reactions.ts' {
  interface Reactions {
    'approval-rules-changed': Record<never, never>;
  }
}

/** A marketplace has one row. */
export const RULES_ID = 'rules';

export const APPROVAL_RULES = table('approvalRules', {
  notFound: 'INTERNAL_ERROR',
  sql: 'approval_rules',
  columns: ['id', 'rules', 'updatedAt'],
  lookups: {},
});

const WITHOUT_AMOUNT: ReadonlySet<ApprovalAction> = new Set(['approval-rules', 'api-key.create']);

const problemsOf = ({ action, amountFrom, currency }: ApprovalRule, index: number): string[] => {
  const at = `rules[${index}]`;
  if (WITHOUT_AMOUNT.has(action)) {
    return amountFrom === undefined && currency === undefined ? [] : [`${at}: ${action} has no amount`];
  }
  if (amountFrom !== undefined && parseAmount(amountFrom) === null) {
    return [`${at}.amountFrom must be a positive decimal string with at most two places and eleven whole digits`];
  }
  return [];
};

export const checkRules = (rules: readonly ApprovalRule[]): void => {
  const problems = rules.flatMap(problemsOf);
  if (problems.length > 0) throw validationError(problems);
};

export const setApprovalRules = command<readonly ApprovalRule[], readonly ApprovalRule[]>({
  name: 'set-approval-rules',
  needs: () => ({ rows: [{ table: 'approvalRules', id: RULES_ID }] }),
  decide(rules, work) {
    const before = work.find('approvalRules', RULES_ID);
    work.put('approvalRules', { id: RULES_ID, rules, updatedAt: work.now });
    work.audit({
      action: 'APPROVAL_RULES_SET',
      resourceType: 'Marketplace',
      resourceId: work.context.marketplaceId,
      before: { rules: before?.rules ?? [] },
      after: { rules },
    });
    return rules;
  },
  // Also when the outcome is unknown.
  reactions: () => [{ name: 'approval-rules-changed', payload: {} }],
});

/** A rule with a role is only for operators with this role. */
export const isFor = ({ role }: ApprovalRule, caller: Caller): boolean => role === undefined || role === caller.role;

/** Whether the rule binds what the caller asks for. A request of an unknown amount is bound. */
export const bindsRequest = (rule: ApprovalRule, { action, amount, currency }: Weighed): boolean => {
  if (rule.action !== action) return false;
  if (rule.currency !== undefined && currency !== null && rule.currency !== currency) return false;
  return rule.amountFrom === undefined || amount === null || amount >= parseAmount(rule.amountFrom)!;
};
