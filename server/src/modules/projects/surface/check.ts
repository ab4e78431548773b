// Checks a request of Surface B against its schema, with the messages of that surface: "Title is required". It reports all problems at
// once.

import type { TSchema } from 'typebox';
import { Format } from 'typebox/format';
import { Unreadable } from '../../../http/body.ts';
import { Messages } from '../../../http/validation/messages.ts';
import { compileQuery } from '../../../http/validation/query.ts';
import { isObject, type SchemaShape } from '../../../http/validation/schema-shape.ts';
import { type PartValidator, unknownParameters } from '../../../http/validation/validator.ts';
import { invalid, refusal } from './envelope.ts';
import { readNumber } from './route.ts';

/** `public_key` becomes `Public key`. */
const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.slice(0, 1).toUpperCase() + words.slice(1);
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'must be a valid email address',
  'one-line': 'must be one line without control characters',
};

const wrongText = (schema: SchemaShape, value: unknown): string | null => {
  if (typeof value !== 'string') return 'must be a string';
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, format } = schema;
  if (minLength === 1 && value.trim() === '') return 'is required';
  const length = [...value].length;
  if (length < minLength) return `must be at least ${minLength} characters`;
  if (length > maxLength) return `must be at most ${maxLength} characters`;
  if (format !== undefined && !Format.Test(format, value)) return FORMATS[format] ?? `must be a valid ${format}`;
  return null;
};

const wrongWhole = ({ minimum = 1, maximum = 1 }: SchemaShape, value: unknown): string | null =>
  Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum
    ? null
    : `must be a whole number from ${minimum} to ${maximum}`;

/** Every other number is an amount. */
const wrongAmount = (value: unknown): string | null => {
  if (typeof value !== 'number') return 'must be a number';
  if (!(value > 0)) return 'must be positive';
  if (readNumber(value) !== null) return null;
  return /\.\d{3}|e-/.test(String(value)) ? 'must have at most two decimal places' : 'is too large';
};

const wrong = (schema: SchemaShape, value: unknown): string | null => {
  if (schema.enum) return schema.enum.includes(value) ? null : `must be one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') return wrongWhole(schema, value);
  return schema.type === 'number' ? wrongAmount(value) : wrongText(schema, value);
};

const checkFields = (
  schema: SchemaShape,
  { value, messages }: { value: Record<string, unknown>; messages: Messages },
): void => {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const isRequired = schema.required?.includes(name) === true;
    if (isRequired && (given === undefined || given === null)) messages.add(labelOf(name), 'is required');
    else if (given !== undefined) {
      const problem = wrong(property, given);
      if (problem !== null) messages.add(labelOf(name), problem);
    }
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(schema.properties ?? {}, name)) messages.add(name, 'is not a known field');
  }
};

export const bodyCheck = (schema: TSchema): PartValidator => {
  const shape = schema as SchemaShape;
  return (given) => {
    if (given instanceof Unreadable) return { error: refusal('unreadable', { validationErrors: [given.reason] }) };
    const value = given ?? {};
    if (!isObject(value)) return { error: invalid('The body must be a JSON object') };
    const messages = new Messages('The body');
    checkFields(shape, { value, messages });
    return messages.list.length > 0 ? { error: invalid(...messages.list) } : { value };
  };
};

export const queryCheck = (schema: TSchema): PartValidator => {
  const shape = schema as SchemaShape;
  const turn = compileQuery(shape);
  return (given) => {
    const messages = new Messages('The query');
    const value = turn((given ?? {}) as Record<string, string>, messages);
    checkFields(shape, { value, messages });
    return messages.list.length > 0 ? { error: invalid(...messages.list) } : { value };
  };
};

/** For a route without parameters: any parameter is unknown. */
export const emptyQueryCheck: PartValidator = (given) => {
  const names = Object.keys(given ?? {});
  return names.length === 0 ? { value: given } : { error: invalid(...unknownParameters(names)) };
};
