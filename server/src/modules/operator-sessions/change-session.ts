// The commands that begin and end sessions. What was checked before, outside of the commit, is compared again here: a code and a recovery
// code work once, and a credential that was replaced begins no session, also when several requests arrive together.

import { DomainError } from '../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { liveOperator, requireReach } from '../operators/change-operator.ts';
import { type Operator, operatorChanged } from '../operators/operator.ts';
import { beginSession, type NewSession, type OperatorSession } from '../operators/session.ts';

/** What the operator showed, and what was stored when it was checked. */
export type Proof =
  | {
      readonly method: 'password';
      readonly passwordHash: string;
      readonly sealedTotp: string | null;
      /** The time step of the code, or the hash of a recovery code; null without a second factor. */
      readonly second: { readonly step: bigint } | { readonly recoveryHash: string } | null;
    }
  | { readonly method: 'passkey'; readonly passkeyId: string; readonly counter: bigint }
  | { readonly method: 'single-sign-on'; readonly subject: string };

type SignInInput = { readonly operatorId: string; readonly session: NewSession; readonly proof: Proof };

export type SignedIn = { readonly operator: Operator; readonly passkeys: number; readonly session: OperatorSession };

const failed = (): DomainError => new DomainError('SIGN_IN_FAILED');

const withPassword = (operator: Operator, proof: Proof & { method: 'password' }): Operator => {
  if (operator.passwordHash !== proof.passwordHash || operator.sealedTotp !== proof.sealedTotp) throw failed();
  const { second } = proof;
  if (second === null) return operator;
  if ('step' in second) {
    if (second.step <= operator.totpStep) throw failed();
    return { ...operator, totpStep: second.step };
  }
  if (!operator.recoveryHashes.includes(second.recoveryHash)) throw failed();
  return { ...operator, recoveryHashes: operator.recoveryHashes.filter((one) => one !== second.recoveryHash) };
};

type Proving<M extends Proof['method']> = { readonly operator: Operator; readonly proof: Proof & { method: M } };

const withPasskey = (work: UnitOfWork, { operator, proof }: Proving<'passkey'>): Operator => {
  const passkey = work.find('operatorPasskeys', proof.passkeyId);
  if (passkey?.operatorId !== operator.id || passkey.state !== 'live') throw failed();
  // A passkey whose counter stands still was copied, unless it never counts.
  if (proof.counter <= passkey.counter && (proof.counter > 0n || passkey.counter > 0n)) throw failed();
  work.put('operatorPasskeys', { ...passkey, counter: proof.counter, lastUsedAt: work.now });
  return operator;
};

/** The first single sign-on accepts the invitation. From then on only the same subject passes. */
const withSingleSignOn = (operator: Operator, { subject }: Proof & { method: 'single-sign-on' }): Operator => {
  if (operator.singleSignOn !== null && operator.singleSignOn !== subject) throw failed();
  return { ...operator, singleSignOn: subject, status: 'ACTIVE', inviteHash: null, inviteExpiresAt: null };
};

/** An invitation that has expired is not accepted, whichever way the person comes. */
const isInviteOver = ({ status, inviteExpiresAt }: Operator, now: string): boolean =>
  status === 'INVITED' && (inviteExpiresAt === null || inviteExpiresAt <= now);

const proved = (work: UnitOfWork, { operator, proof }: Proving<Proof['method']>): Operator => {
  if (proof.method === 'single-sign-on') {
    if (operator.status === 'DISABLED' || isInviteOver(operator, work.now)) throw failed();
    return withSingleSignOn(operator, proof);
  }
  if (operator.status !== 'ACTIVE') throw failed();
  return proof.method === 'password' ? withPassword(operator, proof) : withPasskey(work, { operator, proof });
};

export const signIn = command<SignInInput, SignedIn>({
  name: 'sign-in',
  needs: ({ operatorId, proof }) => ({
    rows: [
      { table: 'operators', id: operatorId },
      { table: 'operatorPasskeys', by: 'operator', value: operatorId },
      ...(proof.method === 'passkey' ? [{ table: 'operatorPasskeys', id: proof.passkeyId } as const] : []),
    ],
  }),
  decide({ operatorId, session, proof }, work) {
    const before = liveOperator(work, operatorId);
    const operator = proved(work, { operator: before, proof });
    if (operator !== before) work.put('operators', { ...operator, updatedAt: work.now });
    const begun = beginSession(work, { operatorId, session });
    work.audit({
      action: 'OPERATOR_SIGNED_IN',
      resourceType: 'Operator',
      resourceId: operatorId,
      after: { sessionId: begun.id, method: begun.method, address: begun.address },
    });
    const passkeys = work.listBy('operatorPasskeys', { by: 'operator', value: operatorId }).length;
    return { operator, passkeys, session: begun };
  },
});

type EndInput = {
  readonly operatorId: string;
  readonly sessionId: string;
  readonly isOwn: boolean;
  /** The caller is the operator itself, the master key or an operator of all marketplaces. */
  readonly isEverywhereAllowed: boolean;
};

/** A session that has ended stays as it is. */
export const endSession = command<EndInput, OperatorSession>({
  name: 'end-operator-session',
  needs: ({ operatorId, sessionId }) => ({
    rows: [
      { table: 'operatorSessions', id: sessionId },
      { table: 'operators', id: operatorId },
    ],
  }),
  decide({ operatorId, sessionId, isOwn, isEverywhereAllowed }, work) {
    const operator = work.find('operators', operatorId);
    if (operator) requireReach(operator, isEverywhereAllowed);
    const session = work.get('operatorSessions', sessionId);
    if (session.operatorId !== operatorId) throw new DomainError('OPERATOR_SESSION_NOT_FOUND');
    if (session.endedAt !== null) return session;
    const ended = { ...session, endedAt: work.now };
    work.put('operatorSessions', ended);
    work.audit({
      action: isOwn ? 'OPERATOR_SIGNED_OUT' : 'OPERATOR_SESSION_REVOKED',
      resourceType: 'OperatorSession',
      resourceId: sessionId,
      after: { operatorId },
    });
    return ended;
  },
  reactions: ({ input }) => operatorChanged(input.operatorId),
});
