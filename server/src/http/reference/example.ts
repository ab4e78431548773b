// Makes an example of a schema from the examples of its fields, for filters and for routes without a recorded example.

import type { SchemaShape } from '../validation/schema-shape.ts';

const SAMPLE_ULID = '01J9ZQ8H7K5M3N2P4R6S8T0V1W';

/** Nothing is known of the text but that it is one. */
const ANY_TEXT = 'text';

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
  return ANY_TEXT;
};

/** An example that says something; undefined when the schema says only that there is a text. */
export const tellingExampleOf = (schema: SchemaShape): unknown => {
  const example = exampleOf(schema);
  return example === ANY_TEXT ? undefined : example;
};
