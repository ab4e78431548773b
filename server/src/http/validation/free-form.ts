// Limits of free-form data (metadata): size, depth, length of keys, and the names in it. A schema cannot express them, and without them one
// record could be as large as a whole body.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { isOneLineOrNone, ONE_LINE_RULE } from '@holdfast/contract/one-line.ts';
import type { Messages } from './messages.ts';
import { child, isFreeForm, isObject, type JsonObject, type SchemaShape } from './schema-shape.ts';

const DEPTH_MAX = 32;

type Measure = (value: unknown, at: { path: string; messages: Messages }) => void;

/** Null: there is no free-form data below this schema. */
export const compileMeasure = (schema: SchemaShape): Measure | null => {
  if (isFreeForm(schema) || schema.maxBytes !== undefined) return measureOne(schema);
  if (schema.anyOf) return all(schema.anyOf.map(compileMeasure));
  if (schema.items) return measureItems(schema.items);
  return all(Object.entries(schema.properties ?? {}).map(([name, property]) => measureProperty(name, property)));
};

const measureItems = (items: SchemaShape): Measure | null => {
  const measure = compileMeasure(items);
  if (measure === null) return null;
  return (value, { path, messages }) => {
    if (!Array.isArray(value)) return;
    for (const [i, item] of value.entries()) measure(item, { path: child(path, i), messages });
  };
};

const measureProperty = (name: string, property: SchemaShape): Measure | null => {
  const measure = compileMeasure(property);
  if (measure === null) return null;
  return (value, { path, messages }) => {
    if (isObject(value) && value[name] !== undefined) measure(value[name], { path: child(path, name), messages });
  };
};

const all = (measures: readonly (Measure | null)[]): Measure | null => {
  const some = measures.filter((measure) => measure !== null);
  if (some.length === 0) return null;
  return (value, at) => {
    for (const measure of some) measure(value, at);
  };
};

const measureOne =
  ({ maxBytes = LIMITS.metadataBytes, names = [] }: SchemaShape): Measure =>
  (value, { path, messages }) => {
    if (value === null || typeof value !== 'object') return;
    // The depth is checked first: the serialiser below is recursive, and a very deep value would overflow its stack.
    if (isDeeperThan(value, DEPTH_MAX)) return messages.add(path, `must not be nested deeper than ${DEPTH_MAX} levels`);
    if (Buffer.byteLength(JSON.stringify(value)) > maxBytes)
      messages.add(path, `must be at most ${maxBytes} bytes as JSON`);
    const given = value as JsonObject;
    for (const name of names) if (!isOneLineOrNone(given[name])) messages.add(child(path, name), ONE_LINE_RULE);
    for (const key of Object.keys(value)) {
      if (key.length > LIMITS.metadataKeyLength) {
        messages.add(path, `must not have keys longer than ${LIMITS.metadataKeyLength} characters`);
        return;
      }
    }
  };

const isDeeperThan = (value: unknown, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeperThan(inner, levels - 1)) return true;
  return false;
};
