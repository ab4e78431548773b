// Reads JSON in which amounts may be numbers. A number keeps its text, so that an amount never passes through a float.

export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

const keepNumbers: Reviver = (_, value, { source }) => (typeof value === 'number' ? new ExactNumber(source!) : value);

export const parseExact = (text: string): unknown =>
  (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, keepNumbers);

/** A value as JSON has it. A number that a float cannot hold becomes text. */
export const plainOf = (value: unknown): unknown => {
  if (value instanceof ExactNumber) return String(Number(value.text)) === value.text ? Number(value.text) : value.text;
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, plainOf(inside)]));
};

const EXPONENT = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,3})$/;

/** A number with an exponent, such as 1.5e-7, as a decimal; other texts unchanged. */
const withoutExponent = (text: string): string => {
  const [, sign = '', whole = '', places = '', exponent = ''] = EXPONENT.exec(text) ?? [];
  if (whole === '') return text;
  const shift = Number(exponent);
  const digits = whole + places;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(1, point);
  return `${sign}${padded.slice(0, at)}.${padded.slice(at) || '0'}`;
};

/** The text of a string or a number; null for anything else. */
export const textOf = (value: unknown): string | null => {
  if (value instanceof ExactNumber) return withoutExponent(value.text);
  return typeof value === 'string' ? value.trim() : null;
};
