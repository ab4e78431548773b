// An approval: a request that waits for the decision of another actor than its requester, and what became of it.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ApprovalAction, ApprovalStatus } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import type { Context } from '../../commit/command.ts';
import { CONSTANT_KEY, table } from '../../commit/tables.ts';
import type { Caller } from '../../http/caller.ts';

type Actor = Context['actor'];

/** An actor with its name at that time. */
export type NamedActor = { readonly type: Actor['type']; readonly id: string; readonly name: string };

export type KeptRequest = {
  readonly method: string;
  /** As the endpoint has it, with names of parameters. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly kept: unknown;
  readonly caller: Caller;
  readonly requestId: string;
};

export type ApprovalFailure = { readonly code: string; readonly message: string; readonly details: unknown };

export type Approval = {
  readonly id: string;
  readonly action: ApprovalAction;
  readonly status: ApprovalStatus;
  readonly amount: Amount | null;
  readonly currency: Currency | null;
  readonly orderId: string | null;
  readonly userId: string | null;
  /** The type and the id of the actor that may not decide. */
  readonly requester: string;
  readonly requestedBy: NamedActor;
  readonly request: KeptRequest;
  /** On the clock of deadlines: with simulators theirs. */
  readonly expiresAt: string;
  readonly decidedBy: NamedActor | null;
  readonly decidedAt: string | null;
  readonly reason: string | null;
  /** The run that has begun to carry it out. Written with the first change of the request, in the same commit. */
  readonly begunBy: string | null;
  /** The operation or the withdrawal that the request has begun. */
  readonly effectId: string | null;
  /** Only while it is APPROVING: a job of another server may continue it after this time. */
  readonly resumeAt: string | null;
  readonly result: unknown;
  readonly error: ApprovalFailure | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type ApprovalPlace = { readonly marketplaceId: string; readonly approvalId: string };

/** A token is the same actor as its key, because both have the id of the key. */
export const actorName = ({ type, id }: Actor): string => `${type}:${id}`;

declare module '../../commit/tables.ts' {
  interface Tables {
    approvals: Approval;
  }
  interface Lookups {
    approvals: { pending: string };
  }
}

/** All requests of a marketplace that wait. */
export const PENDING_ONES = { by: 'pending', value: '1' } as const;

export const APPROVALS = table('approvals', {
  notFound: 'APPROVAL_NOT_FOUND',
  sql: 'approvals',
  columns: [
    'id',
    'action',
    'status',
    'amount',
    'currency',
    'orderId',
    'userId',
    'requester',
    'requestedBy',
    'request',
    'expiresAt',
    'decidedBy',
    'decidedAt',
    'reason',
    'begunBy',
    'effectId',
    'resumeAt',
    'result',
    'error',
    'createdAt',
    'updatedAt',
  ],
  lookups: {
    pending: {
      sql: CONSTANT_KEY,
      where: { sql: "t.status = 'PENDING'", holds: ({ status }) => status === 'PENDING' },
      value: () => PENDING_ONES.value,
    },
  },
});
