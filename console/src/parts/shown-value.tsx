// A value of a record with unknown fields, such as the payload of an event: an ID is linked, a time is formatted, an
// amount is grouped, and any other value is shown unchanged.

import type { ReactNode } from 'react';
import { Id } from './id.tsx';
import { Amount } from './money/amount.tsx';
import { Time } from './time.tsx';

const ID = /^[a-z]{2,5}_[0-9A-HJKMNP-TV-Z]{26}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const MONEY = /^-?\d{1,12}\.\d{2,7}$/;

export const ShownValue = ({ value }: { readonly value: unknown }): ReactNode => {
  if (value === null || value === undefined || value === '') return <span className="soft">–</span>;
  if (typeof value === 'string') {
    if (ID.test(value)) return <Id value={value} />;
    if (MOMENT.test(value)) return <Time value={value} exact />;
    // Grouped with the decimals of the record.
    if (MONEY.test(value)) return <Amount value={value} places={value.length - value.indexOf('.') - 1} />;
    return value;
  }
  if (typeof value === 'object') return <code>{JSON.stringify(value)}</code>;
  return String(value);
};

type Leaf = readonly [path: string, value: unknown];

/** `{ a: { b: 1 } }` to `[['a.b', 1]]`. */
export const leavesOf = (value: unknown, path = ''): readonly Leaf[] => {
  if (value === null || typeof value !== 'object') return [[path, value]];
  const entries = Object.entries(value);
  if (entries.length === 0) return path === '' ? [] : [[path, Array.isArray(value) ? 'none' : null]];
  return entries.flatMap(([key, each]) => leavesOf(each, path === '' ? key : `${path}.${key}`));
};
