// Stores a request that waits for approval. Nothing of the request itself is done.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { formatAmount } from '../../books/money.ts';
import { type Command, command, type UnitOfWork } from '../../commit/command.ts';
import type { HeldRequest } from '../../http/approval-terms.ts';
import type { Caller } from '../../http/caller.ts';
import { type Approval, actorName, PENDING_ONES } from './approval.ts';

/** The part of every event of an approval. */
export const eventOf = ({ id, action, requestedBy, amount, currency }: Approval) => ({
  approvalId: id,
  action,
  requestedBy: requestedBy.id,
  ...(amount === null ? {} : { amount: formatAmount(amount) }),
  ...(currency === null ? {} : { currency }),
});

/** Neither the session nor the secret that the requester used. */
const keptCaller = ({ type, keyId, keyName, scopes, marketplaceId, isEverywhere }: Caller): Caller => ({
  type,
  keyId,
  keyName,
  scopes,
  marketplaceId,
  ...(isEverywhere ? { isEverywhere } : {}),
});

const newApproval = (work: UnitOfWork, { held, expiresMs }: { held: HeldRequest; expiresMs: number }): Approval => {
  const { action, amount, currency, orderId = null, userId = null, caller } = held;
  const { method, path, params, query, body, kept } = held;
  const { actor, requestId } = work.context;
  return {
    id: work.newId('approval'),
    action,
    status: 'PENDING',
    amount,
    currency,
    orderId,
    userId,
    requester: actorName(actor),
    requestedBy: { ...actor, name: actor.type === 'user' ? actor.id : caller.keyName },
    request: {
      method,
      path,
      params: params as Record<string, string>,
      query,
      body,
      kept,
      caller: keptCaller(caller),
      requestId,
    },
    expiresAt: laterBy(work.deadlineNow, expiresMs),
    decidedBy: null,
    decidedAt: null,
    reason: null,
    begunBy: null,
    effectId: null,
    resumeAt: null,
    result: null,
    error: null,
    createdAt: work.now,
    updatedAt: work.now,
  };
};

/** What the same requester has asked for already. */
const sameRequest = (work: UnitOfWork, { action, orderId = null }: HeldRequest): Approval | undefined => {
  const requester = actorName(work.context.actor);
  return pendingNow(work).find(
    (each) => each.action === action && each.orderId === orderId && each.requester === requester,
  );
};

const pendingNow = (work: UnitOfWork): Approval[] =>
  work.listBy('approvals', PENDING_ONES).filter(({ expiresAt }) => expiresAt > work.deadlineNow);

export const requestApproval = (expiresMs: number): Command<HeldRequest, Approval> =>
  command({
    name: 'request-approval',
    needs: () => ({ rows: [{ table: 'approvals', ...PENDING_ONES }] }),
    decide(held, work) {
      const same = held.once ? sameRequest(work, held) : undefined;
      if (same) return same;
      const limit = LIMITS.approvalsPending;
      if (pendingNow(work).length >= limit) throw new DomainError('APPROVAL_LIMIT', { details: { limit } });
      const approval = newApproval(work, { held, expiresMs });
      const { id, action, orderId, userId, expiresAt } = approval;
      work.put('approvals', approval);
      const of = { ...(orderId === null ? {} : { orderId }), ...(userId === null ? {} : { userId }) };
      work.emit({
        type: 'approval.requested',
        aggregateId: id,
        ...(userId === null ? {} : { userId }),
        payload: { ...eventOf(approval), ...of, expiresAt },
      });
      const { approvalId: _, requestedBy: __, ...figures } = eventOf(approval);
      const { method, path, params } = approval.request;
      work.audit({
        action: 'APPROVAL_REQUESTED',
        resourceType: 'Approval',
        resourceId: id,
        ...(userId === null ? {} : { userId }),
        after: { status: 'PENDING', ...figures, action, ...of, method, path, params, expiresAt },
      });
      return approval;
    },
  });
