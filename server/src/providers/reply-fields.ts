// Reads an untrusted answer. Numbers arrive as their own digits, so no amount is ever rounded. A number and a text of the same
// digits are equal, because the documentation and the clients of the providers differ in this.

import type { Amount } from '../books/money.ts';
import { parseDecimal } from './wire-amount.ts';

export type Fields = { readonly [name: string]: unknown };

/** The answer lacks a required field. The HTTP client turns it into an unknown: the answer does not say what happened. */
export class Unreadable extends Error {}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** A number that JavaScript may write in other digits than the text: a fraction, an exponent, a sign, or more than 15 digits. */
const OTHER_DIGITS = /(?:^|[:[,])\s*(?:-|\d+[.eE]|\d{16})/;

const withDigits = (value: unknown): unknown => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDigits);
  const fields = value as Record<string, unknown>;
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (typeof field === 'number' || typeof field === 'object') fields[name] = withDigits(field);
  }
  return fields;
};

/** Undefined when the text is not JSON. Most answers have only short whole numbers, and a reviver takes almost three times as long. */
export function readJson(text: string): unknown {
  try {
    if (!OTHER_DIGITS.test(text)) return withDigits(JSON.parse(text));
    return parse(text, (_, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value));
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown, name = 'The answer'): Fields {
  if (isFields(value)) return value;
  throw new Unreadable(`${name} is not an object.`);
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function listOf(value: unknown, name = 'The answer'): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Unreadable(`${name} is not a list.`);
}

export function textOf(fields: Fields, name: string): string {
  const text = findText(fields, name);
  if (text !== null) return text;
  throw new Unreadable(`${name} is missing.`);
}

export function findText(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

export function amountOf(fields: Fields, name: string): Amount {
  const amount = findAmount(fields, name);
  if (amount !== null) return amount;
  throw new Unreadable(`${name} is missing.`);
}

/** Null only when the field is absent: an amount that cannot be read exactly must not count as absent. */
export function findAmount(fields: Fields, name: string): Amount | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  const amount = typeof value === 'string' ? parseDecimal(value) : null;
  if (amount === null) throw new Unreadable(`${name} is not an amount of at most seven decimal places.`);
  return amount;
}

export function integerOf(fields: Fields, name: string): number {
  const text = textOf(fields, name);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Unreadable(`${name} is not a whole number.`);
}

export const isTrue = (fields: Fields, name: string): boolean => fields[name] === true;
