// Routes of the sessions of operators: list and end them. Allowed for the operator itself, for administrators and for the master key.

import * as api from '@holdfast/contract/api/operators.ts';
import { DomainError } from '../../base/domain-error.ts';
import { type Clock, formatInstant } from '../../base/instant.ts';
import type { Caller } from '../../http/caller.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, write } from '../../http/route.ts';
import { requireReach } from '../operators/change-operator.ts';
import { presentSession } from '../operators/present.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { endSession } from './change-session.ts';
import type { SessionReads } from './queries.ts';

type Parts = {
  readonly operators: Pick<OperatorReads, 'find'>;
  readonly sessions: Pick<SessionReads, 'listOpen'>;
  readonly clock: Clock;
};

const requireOwnOrAdmin = ({ type, keyId, scopes }: Caller, operatorId: string): void => {
  const isAdmin = type === 'master' || (type === 'operator' && scopes.includes('*'));
  if (isAdmin || (type === 'operator' && keyId === operatorId)) return;
  throw new DomainError('INSUFFICIENT_SCOPE', { details: { requiredScope: 'admin', scopes } });
};

const isEverywhereAllowed = ({ type, keyId, isEverywhere }: Caller, operatorId: string): boolean =>
  type === 'master' || isEverywhere === true || (type === 'operator' && keyId === operatorId);

export const sessionRoutes = ({ operators, sessions, clock }: Parts): Route[] => [
  list(api.listOperatorSessions, async ({ params: { id }, query, caller, context }) => {
    requireOwnOrAdmin(caller, id);
    const request = pageRequest('operatorSession', { query, context });
    const operator = await operators.find(context.marketplaceId, id);
    if (!operator) throw new DomainError('OPERATOR_NOT_FOUND');
    requireReach(operator, isEverywhereAllowed(caller, id));
    const page = await sessions.listOpen({ ...request, operatorId: id, now: formatInstant(clock()) });
    return { items: page.rows.map((row) => presentSession(row, caller.sessionId)), nextCursor: page.nextCursor };
  }),
  write(api.revokeOperatorSession, {
    command: endSession,
    input({ params: { id, sessionId }, caller }) {
      requireOwnOrAdmin(caller, id);
      return {
        operatorId: id,
        sessionId,
        isOwn: caller.sessionId === sessionId,
        isEverywhereAllowed: isEverywhereAllowed(caller, id),
      };
    },
    present: (session, { caller }) => presentSession({ ...session, lastUsedAt: null }, caller.sessionId),
  }),
];
