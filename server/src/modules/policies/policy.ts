// A policy: one version of named rules for orders. A row never changes.

import type { Policy as PolicyRecord } from '@holdfast/contract/api/policies.ts';
import type { Static } from 'typebox';
import { CONSTANT_KEY, table } from '../../commit/tables.ts';

export type PolicyRules = Static<typeof PolicyRecord>['rules'];

export type Policy = {
  readonly id: string;
  readonly name: string;
  /** From 1 for each name. */
  readonly policyVersion: number;
  readonly rules: PolicyRules;
  readonly createdAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    policies: Policy;
  }
  interface Lookups {
    policies: { name: string; first: string };
  }
}

/** All names of a marketplace: the first version of each. */
export const FIRST_VERSIONS = { by: 'first', value: '1' } as const;

export const POLICIES = table('policies', {
  notFound: 'POLICY_NOT_FOUND',
  sql: 'policies',
  columns: ['id', 'name', 'policyVersion', 'rules', 'createdAt'],
  lookups: {
    name: { sql: 't.name', value: (row) => row.name },
    first: {
      sql: CONSTANT_KEY,
      where: { sql: 't.policy_version = 1', holds: (row) => row.policyVersion === 1 },
      value: () => FIRST_VERSIONS.value,
    },
  },
});
