// Approvals: rules that make requests wait for another actor, and the decisions about the requests that wait.

import type { Changes } from '../changes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type {
  Approval,
  ApprovalRule,
  ListApprovalsQuery,
  RejectApprovalInput,
  SetApprovalRulesInput,
} from '../printed/approvals.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type Waitable, type WaitFor, waiterOf } from '../wait-for.ts';

const isDecided = ({ status }: Approval): boolean => status !== 'PENDING' && status !== 'APPROVING';

type ApprovalGoal = 'approved' | 'ended';

const APPROVAL: Waitable<Approval, ApprovalGoal> = {
  noun: 'approval',
  goals: { approved: ({ status }) => status === 'APPROVED', ended: isDecided },
  usual: 'approved',
  hasEnded: isDecided,
  stateOf: ({ status, reason, error }) => {
    const why = error?.message ?? reason;
    return why ? `${status} (${why})` : status;
  },
};

export const approvalResource = (transport: Transport, changes: Changes) => {
  const get = (id: string, options?: CallOptions): Promise<Approval> =>
    transport.call(ROUTES.getApproval, { params: { id } }, options);

  return {
    /** Newest first. */
    list: (query: ListApprovalsQuery = {}, options?: CallOptions): List<Approval> =>
      listing(transport, ROUTES.listApprovals, { query, options }),

    /** One approval with the request that waits. */
    get,

    /**
     * Waits until another actor has approved the request and it was carried out: `result` is its record. Fails with ENDED_OTHERWISE when it
     * was rejected, cancelled, has expired or failed (`until: 'ended'` returns it then too), and with STILL_PENDING after `patienceMs`.
     *
     * @example
     * const { result } = await holdfast.approvals.waitFor(error.details.approval.id, { patienceMs: Infinity });
     */
    waitFor: waiterOf(APPROVAL, { changes, get }) as WaitFor<Approval, ApprovalGoal>,

    /**
     * Carries the request out once. Needs the scope of the request, and another key than the requester's. A request that no longer fits
     * becomes FAILED; while an outside system has not answered, the status is APPROVING.
     */
    approve: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Approval, O>> =>
      transport.change<Approval, O>(ROUTES.approveApproval, { params: { id } }, options),

    /** Nothing is done. The requester sees the reason. */
    reject: <O extends CallOptions>(
      id: string,
      input: RejectApprovalInput = {},
      options?: O,
    ): Promise<MaybePreview<Approval, O>> =>
      transport.change<Approval, O>(ROUTES.rejectApproval, { params: { id }, body: input }, options),

    /** Only for the requester. */
    cancel: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Approval, O>> =>
      transport.change<Approval, O>(ROUTES.cancelApproval, { params: { id } }, options),

    /** The rules of the marketplace. */
    rules: async (options?: CallOptions): Promise<ApprovalRule[]> =>
      (await listing<ApprovalRule>(transport, ROUTES.listApprovalRules, { query: {}, options }).page()).items,

    /** Replaces all rules; needs a key with every scope. */
    setRules: <O extends CallOptions>(
      rules: SetApprovalRulesInput,
      options?: O,
    ): Promise<MaybePreview<ApprovalRule[], O>> =>
      transport.change<ApprovalRule[], O>(ROUTES.setApprovalRules, { body: rules }, options),
  };
};
