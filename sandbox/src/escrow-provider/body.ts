// Reads the fields of a request's body and refuses missing and malformed ones by name.

import { StrKey } from '@stellar/stellar-sdk';
import type { Distribution } from './contract/escrow.ts';
import { invalid } from './errors.ts';
import { readNumber } from './wire-amounts.ts';

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown, name = 'The body'): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw invalid(`${name} should be an object`);
}

export function textField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw invalid(`${name} must be a string`);
}

export function addressField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value === 'string' && StrKey.isValidEd25519PublicKey(value)) return value;
  throw invalid(`${name} must be a valid account address`);
}

export function contractField(fields: Fields, name = 'contractId'): string {
  const value = fields[name];
  if (typeof value === 'string' && StrKey.isValidContract(value)) return value;
  throw invalid(`${name} must be a valid contract address`);
}

export function amountField(fields: Fields, name = 'amount'): bigint {
  const units = readNumber(fields[name]);
  if (units === null) throw invalid(`${name} must be a number with at most 7 decimal places`);
  return units;
}

// A string on this wire, although it looks like a number.
export function indexField(fields: Fields): number {
  const value = fields.milestoneIndex;
  const digits = typeof value === 'number' ? String(value) : value;
  if (typeof digits === 'string' && /^\d{1,4}$/.test(digits)) return Number(digits);
  throw invalid('milestoneIndex must be a numeric string');
}

// A percentage with at most two decimal places, as hundredths of a percent.
export function percentField(fields: Fields, name: string): number {
  const units = readNumber(fields[name]);
  if (units === null || units < 0n || units % 100_000n !== 0n) {
    throw invalid(`${name} must be a percentage of at least 0 with at most 2 decimal places`);
  }
  const bps = Number(units / 100_000n);
  if (bps > 1_000_000) throw invalid(`${name} must be a percentage`);
  return bps;
}

export function listField(fields: Fields, name: string): unknown[] {
  const value = fields[name];
  if (Array.isArray(value)) return value;
  throw invalid(`${name} must be an array`);
}

export function distributionsField(fields: Fields): Distribution[] {
  const parts = listField(fields, 'distributions').map((entry, index) => {
    const part = fieldsOf(entry, `distributions.${index}`);
    return { address: addressField(part, 'address'), amount: amountField(part) };
  });
  if (new Set(parts.map(({ address }) => address)).size < parts.length) {
    throw invalid('distributions must name every address once');
  }
  return parts;
}
