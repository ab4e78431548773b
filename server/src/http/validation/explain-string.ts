// Explains in sentences what is wrong with a text. Lengths count code points, like the compiled check.

import { Format } from 'typebox/format';
import type { Messages } from './messages.ts';
import type { SchemaShape } from './schema-shape.ts';

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be an ISO 8601 time with a zone, such as 2026-11-15T09:30:00Z',
  'date-or-time': 'must be an ISO 8601 date, or a time with a zone, such as 2026-11-15 or 2026-11-15T09:30:00Z',
  email: 'must be an e-mail address',
  uri: 'must be an absolute URL',
  uuid: 'must be a UUID',
};

export const explainString = (
  schema: SchemaShape,
  value: string,
  { path, messages }: { path: string; messages: Messages },
): void => {
  const { minLength, maxLength, pattern, format } = schema;
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) {
    messages.add(path, minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters long`);
    return;
  }
  if (maxLength !== undefined && length > maxLength) {
    messages.add(path, `must be at most ${maxLength} characters long`);
    return;
  }
  if (pattern !== undefined && !new RegExp(pattern).test(value)) {
    const example = schema.examples?.[0];
    messages.add(path, example === undefined ? `must match ${pattern}` : `must look like ${String(example)}`);
  }
  if (format !== undefined && !Format.Test(format, value))
    messages.add(path, FORMATS[format] ?? `must be a valid ${format}`);
};
