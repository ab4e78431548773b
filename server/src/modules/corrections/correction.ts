// A correction: what brought a record out of a state that no other route can leave, with its figures before and after. Never changed.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { CorrectionKind } from '@holdfast/contract/states.ts';
import type { Amount } from '../../books/money.ts';
import type { Context } from '../../commit/command.ts';
import { table } from '../../commit/tables.ts';

/** States and figures of the corrected record, as the API shows them. */
export type Figures = Readonly<Record<string, unknown>>;

export type Correction = {
  readonly id: string;
  readonly kind: CorrectionKind;
  readonly resourceId: string;
  /** The order that it concerns. */
  readonly orderId: string | null;
  readonly reason: string;
  /** What it moved. Null: no money. */
  readonly amount: Amount | null;
  readonly currency: Currency | null;
  readonly before: Figures;
  readonly after: Figures;
  readonly by: Context['actor'] & { readonly name: string };
  readonly createdAt: string;
};

declare module '../../commit/tables.ts' {
  interface Tables {
    corrections: Correction;
  }
  interface Lookups {
    corrections: Record<never, string>;
  }
}

export const CORRECTIONS = table('corrections', {
  notFound: 'CORRECTION_NOT_FOUND',
  sql: 'corrections',
  columns: [
    'id',
    'kind',
    'resourceId',
    'orderId',
    'reason',
    'amount',
    'currency',
    'before',
    'after',
    'by',
    'createdAt',
  ],
  lookups: {},
});
