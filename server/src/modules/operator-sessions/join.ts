// The command that accepts an invitation: it sets what the operator signs in with and begins the first session, all or nothing. An invitation
// works once.

import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import { liveOperator } from '../operators/change-operator.ts';
import { ALL_CLAIMS, type FirstAdminInput, makeFirstAdmin } from '../operators/create-operator.ts';
import { type Operator, type OperatorPasskey, operatorChanged } from '../operators/operator.ts';
import { beginSession, type NewSession } from '../operators/session.ts';
import type { SignedIn } from './change-session.ts';

export type NewPasskey = Pick<OperatorPasskey, 'id' | 'publicKey' | 'counter' | 'transports' | 'name'>;

type JoinInput = {
  readonly operatorId: string;
  /** The first administrator, who does not exist yet. */
  readonly first: FirstAdminInput | null;
  readonly inviteHash: string | null;
  readonly passwordHash: string | null;
  readonly totp: { readonly sealed: string; readonly step: bigint } | null;
  readonly recoveryHashes: readonly string[];
  readonly passkey: NewPasskey | null;
  readonly session: NewSession;
};

const notFound = (): DomainError => new DomainError('INVITE_NOT_FOUND');

const requireInvited = (
  operator: Operator,
  { inviteHash, now }: { inviteHash: string | null; now: string },
): Operator => {
  const { status, inviteHash: stored, inviteExpiresAt } = operator;
  if (status !== 'INVITED' || stored === null || stored !== inviteHash || inviteExpiresAt! <= now) throw notFound();
  return operator;
};

export const join = command<JoinInput, SignedIn>({
  name: 'join-as-operator',
  needs: ({ operatorId, first, passkey }) => ({
    rows: [
      { table: 'operators', id: operatorId },
      ...(first ? [ALL_CLAIMS] : []),
      ...(passkey ? [{ table: 'operatorPasskeys', id: passkey.id } as const] : []),
    ],
  }),
  decide({ operatorId, first, inviteHash, passwordHash, totp, recoveryHashes, passkey, session }, work) {
    const invited = first
      ? makeFirstAdmin(work, first)
      : requireInvited(liveOperator(work, operatorId), { inviteHash, now: work.now });
    if (passkey && work.find('operatorPasskeys', passkey.id)) throw notFound();
    const operator: Operator = {
      ...invited,
      status: 'ACTIVE',
      passwordHash,
      sealedTotp: totp?.sealed ?? null,
      totpStep: totp?.step ?? 0n,
      recoveryHashes,
      inviteHash: null,
      inviteExpiresAt: null,
      updatedAt: work.now,
    };
    work.put('operators', operator);
    if (passkey) {
      work.put('operatorPasskeys', { ...passkey, operatorId, state: 'live', createdAt: work.now, lastUsedAt: null });
    }
    const begun = beginSession(work, { operatorId, session });
    work.audit({
      action: 'OPERATOR_JOINED',
      resourceType: 'Operator',
      resourceId: operatorId,
      after: { hasPassword: passwordHash !== null, hasTotp: totp !== null, hasPasskey: passkey !== null },
    });
    return { operator, passkeys: passkey ? 1 : 0, session: begun };
  },
  reactions: ({ input }) => operatorChanged(input.operatorId),
});
