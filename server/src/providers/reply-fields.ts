// Reads an answer that nobody vouches for. Numbers arrive as their own digits, so no amount is ever rounded on its way in,
// and a number and a text of the same digits are the same thing, as the providers' documentation and clients differ in it.

import type { Amount } from '../books/money.ts';
import { parseDecimal } from './wire-amount.ts';

export type Fields = { readonly [name: string]: unknown };

/** An answer without what it must have. The HTTP client makes it an unknown: something was answered, but not what. */
export class Unreadable extends Error {}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Undefined when the text is no JSON. */
export function readJson(text: string): unknown {
  try {
    return parse(text, (_, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value));
  } catch {
    return undefined;
  }
}

export function fieldsOf(value: unknown, name = 'The answer'): Fields {
  if (isFields(value)) return value;
  throw new Unreadable(`${name} is no object.`);
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function listOf(value: unknown, name = 'The answer'): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Unreadable(`${name} is no list.`);
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

/** Null only when it is not there: an amount that is there and cannot be read exactly must not pass for none. */
export function findAmount(fields: Fields, name: string): Amount | null {
  const value = fields[name];
  if (value === undefined || value === null) return null;
  const amount = typeof value === 'string' ? parseDecimal(value) : null;
  if (amount === null) throw new Unreadable(`${name} is no amount of at most seven places.`);
  return amount;
}

export function integerOf(fields: Fields, name: string): number {
  const text = textOf(fields, name);
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Unreadable(`${name} is no whole number.`);
}

export const isTrue = (fields: Fields, name: string): boolean => fields[name] === true;
