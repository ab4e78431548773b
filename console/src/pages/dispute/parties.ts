// The sides of a dispute in whose name a file is submitted or a message is sent.

import type { Evidence } from '@holdfast/sdk';

export const PARTY_WORDS: Readonly<Record<Evidence['submittedBy'], string>> = {
  BUYER: 'Buyer',
  SELLER: 'Seller',
  OPERATOR: 'Operator',
};

export const PARTY_OPTIONS = Object.entries(PARTY_WORDS)
  .map(([value, name]) => ({ value, name }))
  .reverse();
