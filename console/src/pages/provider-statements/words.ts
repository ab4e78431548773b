// The names and colours of the systems and of the results of a comparison.

import { type ProviderStatement, type ProviderStatementLine, STATEMENT_LINE_STATUSES } from '@holdfast/sdk';
import type { Tone } from '../../parts/status.tsx';

type LineStatus = ProviderStatementLine['status'];

export const SYSTEM_WORDS: Readonly<Record<ProviderStatement['system'], string>> = {
  'payment-provider': 'Payment provider',
  'ledger-network': 'Ledger network',
};

export const LINE_TONES: Readonly<Record<LineStatus, Tone>> = {
  MATCHED: 'good',
  AMOUNT_DIFFERS: 'bad',
  MISSING_HERE: 'bad',
  MISSING_THERE: 'bad',
  PENDING: 'busy',
  DUPLICATE: 'warn',
  AT_EDGE: 'calm',
};

/** In the order of the chart. */
export const LINE_STATUSES: readonly LineStatus[] = STATEMENT_LINE_STATUSES;
