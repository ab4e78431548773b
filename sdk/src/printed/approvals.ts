// What these routes take and give.
// Printed from contract/src/api/approvals.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

import type { Amount, AmountInput } from '../amounts.ts';
import type { CurrencyCode } from './fields.ts';

export type Approval = {
  /** Approval id. */
  id: string;
  /**
   * `APPROVING`: approved, and an outside system has not answered yet. `APPROVED`: carried out, see `result`. `FAILED`:
   * approved, but the state no longer fitted, see `error`.
   */
  status: 'PENDING' | 'APPROVING' | 'APPROVED' | 'REJECTED' | 'CANCELED' | 'EXPIRED' | 'FAILED';
  /** What the request does. The parts of an order count as the order. */
  action: 'balance.credit' | 'balance.debit' | 'order.release' | 'order.refund' | 'dispute.resolve' | 'withdrawal.commit' | 'correction' | 'approval-rules' | 'api-key.create';
  /** What the request would pay, when it was made. Decimal string with two decimal places. */
  amount: Amount | null;
  /** Currency code. */
  currency: CurrencyCode | null;
  /** The order that it concerns. */
  orderId: string | null;
  /** The user whose balance or withdrawal it concerns. */
  userId: string | null;
  requestedBy: {
    /** What acted: a key, the master key, an operator, a user. */
    type: string;
    /** The id of the key, the operator or the user. */
    id: string;
    /** Its name at that time. */
    name: string;
  };
  /** When it was requested. */
  createdAt: string;
  /** When it expires unless it is decided. In sandbox mode the clock of the simulators counts. */
  expiresAt: string;
  /** The request that waits. */
  request: {
    method: string;
    path: string;
    /** The body, as it was checked. */
    body: unknown;
  };
  decidedBy: {
    /** What acted: a key, the master key, an operator, a user. */
    type: string;
    /** The id of the key, the operator or the user. */
    id: string;
    /** Its name at that time. */
    name: string;
  } | null;
  /** When it was approved, rejected, canceled or has expired. */
  decidedAt: string | null;
  /** The reason of the rejection. */
  reason: string | null;
  /** The record that the request would have answered; null unless APPROVED. */
  result: unknown;
  /** Why it was not carried out. Nothing moved. */
  error: {
    code: string;
    message: string;
    details: unknown;
  } | null;
};

export type ApprovalRule = {
  /** What the request does. The parts of an order count as the order. */
  action: 'balance.credit' | 'balance.debit' | 'order.release' | 'order.refund' | 'dispute.resolve' | 'withdrawal.commit' | 'correction' | 'approval-rules' | 'api-key.create';
  /** The rule binds requests of at least this amount. Without it, every request of the action. */
  amountFrom?: AmountInput;
  /** Only amounts in this currency. Without it, in every one. */
  currency?: CurrencyCode;
  /** Only requests of operators with this role. Without it, of every caller, the master key too. */
  role?: 'viewer' | 'support' | 'finance' | 'admin';
};

/** A rule of the marketplace makes the request wait for the approval of another actor. */
export type WaitingForApproval = {
  approval: Approval;
  /** Only of a new or rotated API key: its text, which works once the request is approved. It is shown only here. */
  key?: string;
  /** Only of an invitation: its link, which works once the request is approved. It is shown only here. */
  inviteUrl?: string;
};

export type ListApprovalsQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** Only records created after this date or time. */
  createdAfter?: string;
  /** Only records created before this date or time. */
  createdBefore?: string;
  /** Only approvals with this status. */
  status?: 'PENDING' | 'APPROVING' | 'APPROVED' | 'REJECTED' | 'CANCELED' | 'EXPIRED' | 'FAILED';
  /** Only approvals of this action. */
  action?: 'balance.credit' | 'balance.debit' | 'order.release' | 'order.refund' | 'dispute.resolve' | 'withdrawal.commit' | 'correction' | 'approval-rules' | 'api-key.create';
  /** Only requests of the key, operator or user with this id. */
  requestedBy?: string;
};

export type RejectApprovalInput = {
  /** Reason; the requester sees it. */
  reason?: string;
};

/** The rules. */
export type SetApprovalRulesInput = ApprovalRule[];
