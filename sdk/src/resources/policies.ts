// Policies of the marketplace: named rules for orders, in versions that never change.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { CreatePolicyInput, ListPoliciesQuery, Policy } from '../printed/policies.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const policyResource = (transport: Transport) => ({
  /** Creates a policy, or the next version when the name exists. */
  create: <O extends CallOptions>(input: CreatePolicyInput, options?: O): Promise<MaybePreview<Policy, O>> =>
    transport.change<Policy, O>(ROUTES.createPolicy, { body: input }, options),

  /** All versions, newest first. */
  list: (query: ListPoliciesQuery = {}, options?: CallOptions): List<Policy> =>
    listing(transport, ROUTES.listPolicies, { query, options }),

  get: (id: string, options?: CallOptions): Promise<Policy> =>
    transport.call(ROUTES.getPolicy, { params: { id } }, options),
});
