// An operator and a session as the API shows them: field by field, so that no hash and no sealed secret is ever shown.

import { ROLE_SCOPES } from '@holdfast/contract/scopes.ts';
import type { Operator } from './operator.ts';
import type { OperatorSession } from './session.ts';

export type ShownOperator = { readonly operator: Operator; readonly passkeys: number };

export const presentOperator = ({ operator, passkeys }: ShownOperator, marketplaceId: string) => ({
  id: operator.id,
  email: operator.email,
  name: operator.name,
  role: operator.role,
  scopes: [...ROLE_SCOPES[operator.role]],
  marketplaceId,
  everywhere: operator.isEverywhere,
  status: operator.status,
  hasPassword: operator.passwordHash !== null,
  hasTotp: operator.sealedTotp !== null,
  passkeys,
  hasSingleSignOn: operator.singleSignOn !== null,
  inviteExpiresAt: operator.inviteExpiresAt,
  createdAt: operator.createdAt,
  updatedAt: operator.updatedAt,
});

export type ShownSession = OperatorSession & { readonly lastUsedAt: string | null };

/** `ownId`: the session of the request, if it has one. */
export const presentSession = (session: ShownSession, ownId: string | undefined) => ({
  id: session.id,
  operatorId: session.operatorId,
  method: session.method,
  address: session.address,
  userAgent: session.userAgent,
  createdAt: session.createdAt,
  lastUsedAt: session.lastUsedAt ?? session.createdAt,
  expiresAt: session.expiresAt,
  isOwn: session.id === ownId,
});
