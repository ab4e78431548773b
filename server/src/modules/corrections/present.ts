// A correction as the API shows it.

import { formatAmount } from '../../books/money.ts';
import type { Correction } from './correction.ts';

export const presentCorrection = (correction: Correction) => ({
  id: correction.id,
  kind: correction.kind,
  resourceId: correction.resourceId,
  orderId: correction.orderId,
  reason: correction.reason,
  amount: correction.amount === null ? null : formatAmount(correction.amount),
  currency: correction.currency,
  before: correction.before,
  after: correction.after,
  by: correction.by,
  createdAt: correction.createdAt,
});
