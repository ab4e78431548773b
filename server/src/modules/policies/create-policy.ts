// Creates a policy, or the next version of one. Orders keep the version that they took.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { FIRST_VERSIONS, type Policy } from './policy.ts';

type CreateInput = Pick<Policy, 'name' | 'rules'>;

const refuseAbove = (count: number, limit: number): void => {
  if (count >= limit) throw new DomainError('POLICY_LIMIT', { details: { limit } });
};

const nextVersion = (work: UnitOfWork, name: string): number => {
  const versions = work.listBy('policies', { by: 'name', value: name }).length;
  if (versions === 0) refuseAbove(work.listBy('policies', FIRST_VERSIONS).length, LIMITS.policies);
  refuseAbove(versions, LIMITS.policyVersions);
  return versions + 1;
};

export const createPolicy = command<CreateInput, Policy>({
  name: 'create-policy',
  needs: ({ name }) => ({
    rows: [
      { table: 'policies', by: 'name', value: name },
      { table: 'policies', ...FIRST_VERSIONS },
    ],
  }),
  decide({ name, rules }, work) {
    const policyVersion = nextVersion(work, name);
    const policy: Policy = { id: work.newId('policy'), name, policyVersion, rules, createdAt: work.now };
    work.put('policies', policy);
    work.audit({
      action: 'POLICY_CREATED',
      resourceType: 'Policy',
      resourceId: policy.id,
      after: { name, version: policyVersion, rules },
    });
    return policy;
  },
});
