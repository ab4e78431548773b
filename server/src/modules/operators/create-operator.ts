// Creates operators. An e-mail address is claimed in the default marketplace first, so that it belongs to one operator of the whole service.
// The audit entries contain neither the link of the invitation nor its hash.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { Role } from '@holdfast/contract/scopes.ts';
import { DomainError } from '../../base/domain-error.ts';
import { laterBy } from '../../base/instant.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import type { Invite } from './invite-text.ts';
import { claimIdOf, emailKeyOf, LIVE_OPERATORS, type Operator } from './operator.ts';

type ClaimInput = {
  readonly emailKey: string;
  readonly operatorMarketplace: string;
  readonly operatorId: string;
  /** An operator that was deleted, or was never created: its claim may be replaced. */
  readonly replaces: string | null;
};

const putClaim = (work: UnitOfWork, { emailKey, operatorMarketplace, operatorId }: Omit<ClaimInput, 'replaces'>) => {
  const id = claimIdOf(emailKey);
  work.put('operatorClaims', { id, kind: 'email', operatorMarketplace, operatorId, updatedAt: work.now });
};

/** In the default marketplace. */
export const claimEmail = command<ClaimInput, null>({
  name: 'claim-operator-email',
  needs: ({ emailKey }) => ({ rows: [{ table: 'operatorClaims', id: claimIdOf(emailKey) }] }),
  decide({ replaces, ...input }, work) {
    const claim = work.find('operatorClaims', claimIdOf(input.emailKey));
    if (claim && claim.operatorId !== replaces) throw new DomainError('OPERATOR_EXISTS');
    putClaim(work, input);
    work.audit({
      action: 'OPERATOR_EMAIL_CLAIMED',
      resourceType: 'Operator',
      resourceId: input.operatorId,
      after: { marketplaceId: input.operatorMarketplace },
    });
    return null;
  },
});

type Person = Pick<Operator, 'id' | 'email' | 'name' | 'role' | 'isEverywhere'>;

const newOperator = (work: UnitOfWork, person: Person): Operator => ({
  ...person,
  emailKey: emailKeyOf(person.email),
  state: 'live',
  status: 'INVITED',
  passwordHash: null,
  sealedTotp: null,
  totpStep: 0n,
  recoveryHashes: [],
  singleSignOn: null,
  inviteHash: null,
  inviteExpiresAt: null,
  createdAt: work.now,
  updatedAt: work.now,
});

const auditCreated = (work: UnitOfWork, { id, email, name, role, isEverywhere }: Person): void =>
  work.audit({
    action: 'OPERATOR_CREATED',
    resourceType: 'Operator',
    resourceId: id,
    after: { email, name, role, everywhere: isEverywhere },
  });

export type CreateOperatorInput = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isEverywhere: boolean;
  readonly invite: Invite;
};

export const createOperator = command<CreateOperatorInput, Operator>({
  name: 'create-operator',
  needs: () => ({ rows: [LIVE_OPERATORS] }),
  decide({ invite, ...person }, work) {
    const limit = LIMITS.operators;
    const live = work.listBy('operators', { by: 'state', value: 'live' });
    if (live.length >= limit) throw new DomainError('OPERATOR_LIMIT', { details: { limit } });
    const operator: Operator = {
      ...newOperator(work, person),
      inviteHash: invite.hash,
      inviteExpiresAt: laterBy(work.now, invite.validMs),
    };
    work.put('operators', operator);
    auditCreated(work, operator);
    return operator;
  },
});

export type FirstAdminInput = Pick<Operator, 'id' | 'email' | 'name'>;

const CLAIMS = { by: 'kind', value: 'email' } as const;

/** In the default marketplace, and only while the service has no operator. `join` follows in the same command. */
export const makeFirstAdmin = (work: UnitOfWork, person: FirstAdminInput): Operator => {
  if (work.listBy('operatorClaims', CLAIMS).length > 0) throw new DomainError('INVITE_NOT_FOUND');
  const operator = newOperator(work, { ...person, role: 'admin', isEverywhere: true });
  putClaim(work, {
    emailKey: operator.emailKey,
    operatorMarketplace: DEFAULT_MARKETPLACE,
    operatorId: operator.id,
  });
  auditCreated(work, operator);
  return operator;
};

/** What `makeFirstAdmin` needs. */
export const ALL_CLAIMS = { table: 'operatorClaims', ...CLAIMS } as const;
