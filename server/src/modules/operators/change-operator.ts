// The commands that change, delete and invite operators. Operators cannot change themselves, and only the master key may take the last
// active administrator of a marketplace away. An operator that loses its credentials loses its sessions too.

import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { command, type Needs, type UnitOfWork } from '../../commit/command.ts';
import type { Invite } from './invite-text.ts';
import { LIVE_OPERATORS, type Operator, operatorChanged } from './operator.ts';
import { endSessions, openSessions } from './session.ts';

type Target = {
  readonly id: string;
  /** The caller is the master key or an administrator of all marketplaces. */
  readonly isEverywhereAllowed: boolean;
};

/** An operator and the number of its passkeys. */
export type Changed = { readonly operator: Operator; readonly passkeys: number };

const needsOf = ({ id }: Target): Needs => ({
  rows: [
    { table: 'operators', id },
    LIVE_OPERATORS,
    openSessions(id),
    { table: 'operatorPasskeys', by: 'operator', value: id },
  ],
});

const reactions = ({ input }: { readonly input: Target }) => operatorChanged(input.id);

export const liveOperator = (work: UnitOfWork, id: string): Operator => {
  const operator = work.get('operators', id);
  if (operator.state === 'deleted') throw new DomainError('OPERATOR_NOT_FOUND');
  return operator;
};

/** An operator of all marketplaces is a matter of the master key and of such operators. */
export const requireReach = ({ isEverywhere }: Pick<Operator, 'isEverywhere'>, isEverywhereAllowed: boolean): void => {
  if (!isEverywhere || isEverywhereAllowed) return;
  throw new DomainError('INSUFFICIENT_SCOPE', {
    message: 'Only the master key and administrators of all marketplaces may change an operator of all marketplaces.',
    details: { requiredScope: 'master', scopes: [] },
  });
};

/** An administrator of one marketplace must not get the rights of all by a new invitation of one who has them. */
const requireTarget = (work: UnitOfWork, { id, isEverywhereAllowed }: Target): Operator => {
  const operator = liveOperator(work, id);
  const { type, id: actorId } = work.context.actor;
  if (type === 'operator' && actorId === id) throw new DomainError('OPERATOR_SELF');
  requireReach(operator, isEverywhereAllowed);
  return operator;
};

const isActiveAdmin = ({ role, status, state }: Operator): boolean =>
  role === 'admin' && status === 'ACTIVE' && state === 'live';

const requireAnotherAdmin = (work: UnitOfWork, { before, after }: { before: Operator; after: Operator }): void => {
  if (work.context.actor.type === 'master' || !isActiveAdmin(before) || isActiveAdmin(after)) return;
  const others = work.listBy('operators', { by: 'state', value: 'live' }).filter(({ id }) => id !== before.id);
  if (!others.some(isActiveAdmin)) throw new DomainError('LAST_ADMIN');
};

const passkeysOf = (work: UnitOfWork, id: string) => work.listBy('operatorPasskeys', { by: 'operator', value: id });

const shownIn = ({ name, role, status }: Operator) => ({ name, role, status });

type ChangeInput = Target & {
  readonly changes: Partial<Pick<Operator, 'name' | 'role'>> & { readonly isDisabled?: boolean };
};

const statusOf = ({ status, inviteHash }: Operator, isDisabled: boolean | undefined): Operator['status'] => {
  if (isDisabled === undefined) return status;
  if (isDisabled) return 'DISABLED';
  return status === 'DISABLED' ? (inviteHash === null ? 'ACTIVE' : 'INVITED') : status;
};

export const changeOperator = command<ChangeInput, Changed>({
  name: 'change-operator',
  needs: needsOf,
  decide({ changes: { isDisabled, ...changes }, ...target }, work) {
    const before = requireTarget(work, target);
    const after = { ...before, ...changes, status: statusOf(before, isDisabled), updatedAt: work.now };
    requireAnotherAdmin(work, { before, after });
    if (after.status === 'DISABLED') endSessions(work, after.id);
    work.put('operators', after);
    work.audit({
      action: 'OPERATOR_CHANGED',
      resourceType: 'Operator',
      resourceId: after.id,
      before: shownIn(before),
      after: shownIn(after),
    });
    return { operator: after, passkeys: passkeysOf(work, after.id).length };
  },
  reactions,
});

/** Everything that a sign-in needs is gone. */
const withoutCredentials = (work: UnitOfWork, operator: Operator): Operator => {
  endSessions(work, operator.id);
  for (const passkey of passkeysOf(work, operator.id)) work.put('operatorPasskeys', { ...passkey, state: 'removed' });
  return {
    ...operator,
    passwordHash: null,
    sealedTotp: null,
    totpStep: 0n,
    recoveryHashes: [],
    singleSignOn: null,
    inviteHash: null,
    inviteExpiresAt: null,
    updatedAt: work.now,
  };
};

export const deleteOperator = command<Target, Changed>({
  name: 'delete-operator',
  needs: needsOf,
  decide(target, work) {
    const before = requireTarget(work, target);
    const operator: Operator = { ...withoutCredentials(work, before), state: 'deleted', status: 'DISABLED' };
    requireAnotherAdmin(work, { before, after: operator });
    work.put('operators', operator);
    work.audit({
      action: 'OPERATOR_DELETED',
      resourceType: 'Operator',
      resourceId: operator.id,
      before: shownIn(before),
    });
    return { operator, passkeys: 0 };
  },
  reactions,
});

export const inviteOperator = command<Target & { readonly invite: Invite }, Changed>({
  name: 'invite-operator',
  needs: needsOf,
  decide({ invite, ...target }, work) {
    const before = requireTarget(work, target);
    if (before.status === 'DISABLED') {
      throw new DomainError('INVALID_STATE', {
        message: 'The operator is disabled. Enable the operator first.',
        details: { currentState: 'DISABLED', allowedActions: ['enable', 'delete'] },
      });
    }
    const operator: Operator = {
      ...withoutCredentials(work, before),
      status: 'INVITED',
      inviteHash: invite.hash,
      inviteExpiresAt: laterBy(work.now, invite.validMs),
    };
    requireAnotherAdmin(work, { before, after: operator });
    work.put('operators', operator);
    work.audit({
      action: 'OPERATOR_INVITED',
      resourceType: 'Operator',
      resourceId: operator.id,
      after: { inviteExpiresAt: operator.inviteExpiresAt },
    });
    return { operator, passkeys: 0 };
  },
  reactions,
});
