// An approval as the API shows it: field by field, without the caller's scopes and without what is kept of a secret.

import { formatAmount } from '../../books/money.ts';
import type { Approval, KeptRequest } from './approval.ts';

/** The path with the values of its parameters. */
const pathOf = ({ path, params }: KeptRequest): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));

export const presentApproval = (approval: Approval) => ({
  id: approval.id,
  status: approval.status,
  action: approval.action,
  amount: approval.amount === null ? null : formatAmount(approval.amount),
  currency: approval.currency,
  orderId: approval.orderId,
  userId: approval.userId,
  requestedBy: approval.requestedBy,
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  request: { method: approval.request.method, path: pathOf(approval.request), body: approval.request.body },
  decidedBy: approval.decidedBy,
  decidedAt: approval.decidedAt,
  reason: approval.reason,
  result: approval.result,
  error: approval.error,
});
