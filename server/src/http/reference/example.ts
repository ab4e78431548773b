// Makes an example of a schema from the examples of its fields.

import { docUrlOf, ERRORS, type ErrorCode } from '@holdfast/contract/errors.ts';
import type { SchemaShape } from '../validation/schema-shape.ts';

const SAMPLE_ULID = '01J9ZQ8H7K5M3N2P4R6S8T0V1W';

export const exampleOf = (schema: SchemaShape): unknown => {
  if (schema.examples?.length) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf.find((branch) => branch.type !== 'null') ?? {});
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, exampleOf(inner)]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items)] : [];
    case 'string':
      return exampleText(schema);
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
};

const exampleText = ({ pattern, format }: SchemaShape): string => {
  const prefix = /^\^([a-z]+)_/.exec(String(pattern ?? ''))?.[1];
  if (prefix) return prefix === 'mkt' ? 'mkt_default' : `${prefix}_${SAMPLE_ULID}`;
  if (format === 'date-time') return '2026-11-15T09:30:00.000000Z';
  if (format === 'email') return 'buyer@example.com';
  return 'text';
};

/** Examples of the documented details of an error. */
const DETAILS: Readonly<Record<string, unknown>> = {
  validationErrors: ['amount is required'],
  amount: '-1.00',
  requested: '100.00',
  available: '25.00',
  reserved: '25.00',
  currency: 'USD',
  requiredScope: 'write',
  scopes: ['read'],
  orderId: `ord_${SAMPLE_ULID}`,
  method: 'GET',
  path: '/api/v1/nowhere',
  allowedMethods: ['POST'],
  currentState: 'CLOSED',
  allowedActions: [],
  limitBytes: 262_144,
  contentType: 'text/plain',
  limit: 100,
  windowSeconds: 60,
  retryAfter: 12,
};

export const exampleDetails = (code: ErrorCode): Record<string, unknown> => ({
  ...Object.fromEntries(ERRORS[code].details.map((name: string) => [name, DETAILS[name] ?? 'text'])),
  requestId: '5f0c7c1e-6c0f-4a53-9b1a-0d7f3c2b9a41',
  docUrl: docUrlOf(code),
});
