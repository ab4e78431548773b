// Operators of a marketplace: people with a name and a role, who sign in to the console; and their sessions.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type {
  CreateOperatorInput,
  InvitedOperator,
  ListOperatorSessionsQuery,
  ListOperatorsQuery,
  Operator,
  OperatorSession,
  UpdateOperatorInput,
} from '../printed/operators.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const operatorResource = (transport: Transport) => ({
  /** Invites a person. `inviteUrl` is shown only here: send it to the person. */
  create: (input: CreateOperatorInput, options?: CallOptions): Promise<InvitedOperator> =>
    transport.call(ROUTES.createOperator, { body: input }, options),

  /** Newest first. */
  list: (query: ListOperatorsQuery = {}, options?: CallOptions): List<Operator> =>
    listing(transport, ROUTES.listOperators, { query, options }),

  get: (id: string, options?: CallOptions): Promise<Operator> =>
    transport.call(ROUTES.getOperator, { params: { id } }, options),

  /** Changes name or role, or disables. A new role takes effect at once. */
  update: <O extends CallOptions>(
    id: string,
    input: UpdateOperatorInput,
    options?: O,
  ): Promise<MaybePreview<Operator, O>> =>
    transport.change<Operator, O>(ROUTES.updateOperator, { params: { id }, body: input }, options),

  /** Deletes the operator and ends all its sessions. */
  delete: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<Operator, O>> =>
    transport.change<Operator, O>(ROUTES.deleteOperator, { params: { id } }, options),

  /** Makes a new invitation, also to reset a password or a second factor. */
  invite: (id: string, options?: CallOptions): Promise<InvitedOperator> =>
    transport.call(ROUTES.inviteOperator, { params: { id } }, options),

  /** The open sessions of an operator, newest first. */
  sessions: (id: string, query: ListOperatorSessionsQuery = {}, options?: CallOptions): List<OperatorSession> =>
    listing(transport, ROUTES.listOperatorSessions, { params: { id }, query, options }),

  /** Ends a session at once. */
  revokeSession: <O extends CallOptions>(
    id: string,
    sessionId: string,
    options?: O,
  ): Promise<MaybePreview<OperatorSession, O>> =>
    transport.change<OperatorSession, O>(ROUTES.revokeOperatorSession, { params: { id, sessionId } }, options),
});
