// Explains in sentences why a value does not match its schema, with the name of each field. It runs only after the compiled check has
// refused the value. It never decides whether a value is accepted, and ends when enough problems are found: the walk through a hostile
// body would delay every other request.

import { ONE_LINE_RULE } from '@holdfast/contract/one-line.ts';
import { Format } from 'typebox/format';
import type { Messages } from './messages.ts';
import { child, isObject, type JsonObject, type SchemaShape } from './schema-shape.ts';

type At<Value> = { readonly value: Value; readonly path: string; readonly messages: Messages };

export const explain = (schema: SchemaShape, { value, path, messages }: At<unknown>): void => {
  const wrong = wrongKind(schema, value);
  if (schema.anyOf) explainAny(schema.anyOf, { value, path, messages });
  else if (wrong) messages.add(path, wrong);
  else if (typeof value === 'string') explainString(schema, { value, path, messages });
  else if (typeof value === 'number') explainNumber(schema, { value, path, messages });
  else if (Array.isArray(value)) explainList(schema, { value, path, messages });
  else if (isObject(value)) explainObject(schema, { value, path, messages });
  for (const rule of schema['~refine'] ?? []) if (!rule.check(value)) messages.add(path, rule.error(value));
};

const KINDS: Readonly<Record<string, { is(value: unknown): boolean; words: string }>> = {
  string: { is: (value) => typeof value === 'string', words: 'must be a string' },
  integer: { is: (value) => Number.isSafeInteger(value), words: 'must be a whole number' },
  number: { is: (value) => Number.isFinite(value), words: 'must be a number' },
  boolean: { is: (value) => typeof value === 'boolean', words: 'must be true or false' },
  object: { is: isObject, words: 'must be an object' },
  array: { is: Array.isArray, words: 'must be a list' },
  null: { is: (value) => value === null, words: 'must be null' },
};

const wrongKind = (schema: SchemaShape, value: unknown): string | null => {
  if ('const' in schema) return value === schema.const ? null : `must be ${String(schema.const)}`;
  if (schema.enum) return schema.enum.includes(value) ? null : `must be one of ${schema.enum.join(', ')}`;
  const kind = typeof schema.type === 'string' ? KINDS[schema.type] : undefined;
  return kind === undefined || kind.is(value) ? null : kind.words;
};

const explainNumber = (schema: SchemaShape, { value, path, messages }: At<number>): void => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  if (minimum !== undefined && value < minimum) messages.add(path, `must be at least ${minimum}`);
  if (maximum !== undefined && value > maximum) messages.add(path, `must be at most ${maximum}`);
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    messages.add(path, `must be more than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    messages.add(path, `must be less than ${exclusiveMaximum}`);
};

const explainList = (schema: SchemaShape, { value, path, messages }: At<readonly unknown[]>): void => {
  const { minItems, maxItems, items, uniqueItems } = schema;
  if (minItems !== undefined && value.length < minItems)
    messages.add(path, `must have at least ${minItems} ${minItems === 1 ? 'item' : 'items'}`);
  if (maxItems !== undefined && value.length > maxItems) messages.add(path, `must have at most ${maxItems} items`);
  if (uniqueItems && new Set(value.map((item) => JSON.stringify(item))).size < value.length)
    messages.add(path, 'must not repeat an item');
  if (items) {
    for (const [i, item] of value.entries()) {
      if (messages.isFull) return;
      explain(items, { value: item, path: child(path, i), messages });
    }
  }
};

const explainObject = (schema: SchemaShape, { value, path, messages }: At<JsonObject>): void => {
  const properties = schema.properties ?? {};
  const [others] = Object.values(schema.patternProperties ?? {});
  for (const name of schema.required ?? [])
    if (value[name] === undefined) messages.add(child(path, name), 'is required');
  for (const key of Object.keys(value)) {
    if (messages.isFull) return;
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property) {
      if (value[key] !== undefined) explain(property, { value: value[key], path: child(path, key), messages });
    } else if (schema.additionalProperties === false) messages.add(child(path, key), 'is not a known field');
    else if (others) explain(others, { value: value[key], path: child(path, key), messages });
  }
  const count = Object.keys(value).length;
  if (schema.minProperties !== undefined && count < schema.minProperties)
    messages.add(path, `must have at least ${schema.minProperties} fields`);
  if (schema.maxProperties !== undefined && count > schema.maxProperties)
    messages.add(path, `must have at most ${schema.maxProperties} keys`);
};

const explainAny = (branches: readonly SchemaShape[], { value, path, messages }: At<unknown>): void => {
  const constants = branches.filter((branch) => 'const' in branch).map((branch) => branch.const);
  if (constants.length === branches.length) {
    if (!constants.includes(value)) messages.add(path, `must be one of ${constants.join(', ')}`);
    return;
  }
  const nullable = branches.some((branch) => branch.type === 'null');
  if (nullable && value === null) return;
  const solid = branches.filter((branch) => branch.type !== 'null');
  const meant = solid.length === 1 ? solid[0] : meantBranch(solid, value);
  if (meant) explain(meant, { value, path, messages });
  else messages.add(path, expectedConstants(solid) ?? 'has none of the allowed forms');
};

/** In a union of objects, the branch whose constants the value has. */
const meantBranch = (branches: readonly SchemaShape[], value: unknown): SchemaShape | undefined => {
  if (!isObject(value)) return branches.find((branch) => wrongKind(branch, value) === null);
  return branches.find((branch) => {
    const constants = Object.entries(branch.properties ?? {}).filter(([, property]) => 'const' in property);
    return constants.length > 0 && constants.every(([name, property]) => value[name] === property.const);
  });
};

const expectedConstants = (branches: readonly SchemaShape[]): string | null => {
  const [name] = Object.entries(branches[0]?.properties ?? {}).find(([, property]) => 'const' in property) ?? [];
  if (name === undefined) return null;
  return `must have a ${name} of ${branches.map((branch) => branch.properties?.[name]?.const).join(' or ')}`;
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'must be an ISO 8601 date, such as 2026-11-15',
  'date-time': 'must be an ISO 8601 time with a zone, such as 2026-11-15T09:30:00Z',
  'date-or-time': 'must be an ISO 8601 date, or a time with a zone, such as 2026-11-15 or 2026-11-15T09:30:00Z',
  duration:
    'must be an ISO 8601 duration of weeks, or of days, hours, minutes and seconds, from PT1S to P3653D, such as P2W or P3DT12H',
  email: 'must be an e-mail address',
  'one-line': ONE_LINE_RULE,
  uri: 'must be an absolute URL',
  uuid: 'must be a UUID',
};

// Lengths count code points, like the compiled check.
const explainString = (schema: SchemaShape, { value, path, messages }: At<string>): void => {
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
