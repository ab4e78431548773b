// Reads the requests to the payment provider. Refuses missing, unknown and wrongly typed fields by name, as the provider does.

import { type Cents, parseCents } from './cents.ts';
import { problem } from './problems.ts';

export type Fields = Record<string, unknown>;

export const invalid = (field: string, must: string) => problem('invalid', { [field]: must });

export function readFields(body: unknown, known: readonly string[]): Fields {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw invalid('body', 'must be a JSON object');
  for (const field of Object.keys(body)) if (!known.includes(field)) throw invalid(field, 'is not known');
  return body as Fields;
}

export function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string' || value === '') throw invalid(name, 'must be a text');
  return value;
}

export function optionalText(fields: Fields, name: string): string | null {
  return fields[name] === undefined || fields[name] === null ? null : text(fields, name);
}

export function flag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') throw invalid(name, 'must be true or false');
  return value;
}

export function address(fields: Fields, name: string): string {
  const value = text(fields, name);
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw invalid(name, 'must be an http or https URL');
  return value;
}

export function email(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[^@\s]+@[^@\s]+$/.test(value)) throw invalid(name, 'must be an e-mail address');
  return value.toLowerCase();
}

export function money(fields: Fields, name: string): Cents {
  const cents = parseCents(fields[name]);
  if (cents === null || cents < 1n)
    throw invalid(name, 'must be a number of at least 0.01 with at most two decimal places');
  return cents;
}

export function optionalMoney(fields: Fields, name: string): Cents {
  if (fields[name] === undefined || fields[name] === 0) return 0n;
  return money(fields, name);
}

const PER_PAGE = 100;

export function pageQuery(query: unknown) {
  const { before, after, perPage, status } = query as Partial<Record<string, string>>;
  for (const cursor of [before, after]) {
    if (cursor !== undefined && !/^\d+$/.test(cursor)) throw invalid('cursor', 'must come from a page');
  }
  const size = perPage === undefined ? PER_PAGE : Number(perPage);
  if (!Number.isInteger(size) || size < 10 || size > 1000) throw invalid('perPage', 'must be 10 to 1000');
  return {
    perPage: size,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(status === undefined ? {} : { status }),
  };
}
