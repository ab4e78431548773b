// A session of an operator as it is stored: never its token, only the hash of the secret part. A session that has ended stays, so that its
// end is final in every process.

import { hash } from 'node:crypto';
import type { SESSION_METHODS } from '@holdfast/contract/api/operators.ts';
import type { Need, UnitOfWork } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

export type OperatorSession = {
  readonly id: string;
  readonly operatorId: string;
  readonly secretHash: string;
  readonly method: (typeof SESSION_METHODS)[number];
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly expiresAt: string;
  readonly endedAt: string | null;
};

/** What is known of a session before it begins. */
export type NewSession = Omit<OperatorSession, 'operatorId' | 'createdAt' | 'endedAt'>;

declare module '../../commit/tables.ts' {
  interface Tables {
    operatorSessions: OperatorSession;
  }
  interface Lookups {
    operatorSessions: { open: string };
  }
}

/** Lookup `open`: by the operator, only sessions that nothing has ended. */
export const OPERATOR_SESSIONS = table('operatorSessions', {
  notFound: 'OPERATOR_SESSION_NOT_FOUND',
  sql: 'operator_sessions',
  columns: ['id', 'operatorId', 'secretHash', 'method', 'address', 'userAgent', 'createdAt', 'expiresAt', 'endedAt'],
  lookups: {
    open: {
      sql: 't.operator_id',
      where: { sql: 't.ended_at is null', holds: (row) => row.endedAt === null },
      value: (row) => row.operatorId,
    },
  },
});

/** A fast hash is enough, because 256 random bits cannot be guessed. */
export const digestSecret = (secret: string): string => hash('sha256', secret, 'base64url');

export const openSessions = (operatorId: string): Need => ({
  table: 'operatorSessions',
  by: 'open',
  value: operatorId,
});

/** Ends all sessions of the operator. The command needs `openSessions`. */
export const endSessions = (work: UnitOfWork, operatorId: string): void => {
  for (const session of work.listBy('operatorSessions', { by: 'open', value: operatorId })) {
    work.put('operatorSessions', { ...session, endedAt: work.now });
  }
};

export const beginSession = (
  work: UnitOfWork,
  { operatorId, session }: { operatorId: string; session: NewSession },
) => {
  const begun: OperatorSession = { ...session, operatorId, createdAt: work.now, endedAt: null };
  work.put('operatorSessions', begun);
  return begun;
};
