// Rules to begin with, for three usual kinds of marketplaces. They are those of the SDK's examples, which docs/policies.md explains and a
// test runs. Another test compares them.

import type { Rules } from './rule-rows.ts';

type Template = { readonly name: string; readonly rules: Rules };

export const TEMPLATES: readonly Template[] = [
  {
    name: 'Freelance work with milestones',
    rules: {
      cancelUnfundedAfter: 'P3D',
      milestoneInspection: { within: 'P5D', then: 'RELEASE' },
      remindBefore: ['P1D'],
      dispute: { decideWithin: 'P14D', then: 'REMIND' },
      platformFee: { percent: '10', min: '2.00', max: '200.00' },
    },
  },
  {
    name: 'Shop with an inspection window',
    rules: {
      cancelUnfundedAfter: 'PT1H',
      autoReleaseAfter: 'P14D',
      remindBefore: ['P2D'],
      dispute: { decideWithin: 'P7D', then: 'REFUND' },
      platformFee: { percent: '5', fixed: '0.30' },
    },
  },
  {
    name: 'Rental with a deposit',
    rules: {
      cancelUnfundedAfter: 'P1D',
      dispute: { decideWithin: 'P10D', then: 'REFUND' },
      platformFee: { percent: '3' },
      allow: { dispute: ['seller', 'operator'] },
    },
  },
];
