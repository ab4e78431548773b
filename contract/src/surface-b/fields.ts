// Fields that the schemas of Surface B share. Amounts are JSON numbers on its wire and nowhere else.

import Type from 'typebox';
import { Strict } from '../api/fields.ts';
import { LIMITS } from '../limits.ts';

export { CurrencyCode, Id, Name, Strict, Timestamp } from '../api/fields.ts';

/** A requested amount: positive, at most two decimal places and eleven whole digits. */
export const AskedMoney = (description: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 99_999_999_999.99,
    description: `${description} At most two decimal places.`,
    examples: [250.5],
  });

export const ShownMoney = (description: string) =>
  Type.Number({ description: `${description} Two decimal places, cut off.`, examples: [250.5] });

const PAGE_MAX = 1_000_000_000;

export const Paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1, description: 'From 1.' })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.pageSizeMax,
      default: LIMITS.pageSizeDefault,
      description: 'Page size.',
    }),
  ),
} as const;

export const PageQuery = Strict(Paging);

export const Pagination = Type.Object({
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [20] }),
  total: Type.Integer({ description: 'Items on all pages.', examples: [1] }),
  pages: Type.Integer({ description: 'Number of pages.', examples: [1] }),
});
