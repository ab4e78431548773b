// Routes of policies.

import * as api from '@holdfast/contract/api/policies.ts';
import { DomainError } from '../../base/domain-error.ts';
import { pageRequest } from '../../http/checked-values.ts';
import { list, type Route, read, write } from '../../http/route.ts';
import { checkRules } from './check-rules.ts';
import { createPolicy } from './create-policy.ts';
import type { Policy } from './policy.ts';
import type { PolicyReads } from './queries.ts';

const presentPolicy = ({ id, name, policyVersion: version, rules, createdAt }: Policy) => ({
  id,
  name,
  version,
  rules,
  createdAt,
});

export const policyRoutes = ({ policies }: { readonly policies: PolicyReads }): Route[] => [
  write(api.createPolicy, {
    command: createPolicy,
    input({ body: { name, rules } }) {
      checkRules(rules);
      return { name, rules };
    },
    present: presentPolicy,
  }),
  list(api.listPolicies, async ({ query, context }) => {
    const page = await policies.list(pageRequest('policy', { query, context }));
    return { items: page.rows.map(presentPolicy), nextCursor: page.nextCursor };
  }),
  read(api.getPolicy, async ({ params: { id }, context: { marketplaceId } }) => {
    const policy = await policies.find(marketplaceId, id);
    if (!policy) throw new DomainError('POLICY_NOT_FOUND');
    return presentPolicy(policy);
  }),
];
