// Rules to begin with, for three usual kinds of marketplaces. docs/policies.md explains them and a test runs them.

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
      milestoneInspection: { within: 'P2D', then: 'REMIND' },
      remindBefore: ['PT12H'],
      dispute: { decideWithin: 'P10D', then: 'REFUND' },
      allow: { refund: ['operator'], dispute: ['seller', 'operator'] },
    },
  },
];
