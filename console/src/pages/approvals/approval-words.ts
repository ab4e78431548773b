// The actions that can wait for approval, in words.

import type { Approval } from '@holdfast/sdk';

export type ApprovalAction = Approval['action'];

const ACTION_WORDS: Readonly<Record<ApprovalAction, string>> = {
  'balance.credit': 'Credit a balance',
  'balance.debit': 'Debit a balance',
  'order.release': 'Release an order',
  'order.refund': 'Refund an order',
  'dispute.resolve': 'Resolve a dispute',
  'withdrawal.commit': 'Pay a withdrawal out',
  correction: 'Correct a record',
  'approval-rules': 'Change the approval rules',
  'api-key.create': 'Create an API key',
};

export const approvalWords = (action: string): string => ACTION_WORDS[action as ApprovalAction] ?? action;

export const ACTION_OPTIONS = Object.entries(ACTION_WORDS).map(([value, name]) => ({ value, name }));

/** What carries an amount, so that a rule can name one. */
const WITHOUT_AMOUNT: readonly string[] = ['approval-rules', 'api-key.create'];

export const hasAmount = (action: string): boolean => !WITHOUT_AMOUNT.includes(action);

const ACTORS: Readonly<Record<string, string>> = {
  master: 'Master key',
  api_key: 'API key',
  operator: 'Operator',
  user: 'User',
};

type Actor = Approval['requestedBy'];

/** `Ada Lovelace` for an operator, `API key back office` for a key. */
export const whoWords = ({ type, name }: Actor): string => {
  if (type === 'operator') return name;
  const kind = ACTORS[type] ?? type;
  return type === 'master' || name === '' ? kind : `${kind} ${name}`;
};
