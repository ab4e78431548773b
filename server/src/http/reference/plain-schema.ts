// A schema in its simplest form: a union of constants as an enum, "or null" as a second type, free-form data as an open object. The
// meaning is the same, the serialiser is much faster, and the API reference is easier to read.

import type { TSchema } from 'typebox';
import { isFreeForm, type SchemaShape } from '../validation/schema-shape.ts';

type Plain = Record<string, unknown>;

const OURS = new Set(['aliases', 'maxBytes']);

export const plainSchema = (schema: TSchema): Plain => simplify(schema as SchemaShape);

const simplify = (schema: SchemaShape): Plain => {
  const { anyOf, properties, patternProperties, items, ...rest } = schema;
  const own = Object.fromEntries(Object.entries(rest).filter(([key]) => !OURS.has(key)));
  if (isFreeForm(schema)) return { ...own, additionalProperties: true };
  if (anyOf) return { ...simplifyAny(anyOf), ...own };
  return {
    ...own,
    ...(properties ? { properties: mapValues(properties) } : {}),
    ...(patternProperties ? { patternProperties: mapValues(patternProperties) } : {}),
    ...(items ? { items: simplify(items) } : {}),
  };
};

const simplifyAny = (branches: readonly SchemaShape[]): Plain => {
  const solid = branches.filter((branch) => branch.type !== 'null');
  const nullable = solid.length < branches.length;
  if (solid.every((branch) => typeof branch.const === 'string')) {
    const constants = solid.map((branch) => branch.const);
    return nullable ? { type: ['string', 'null'], enum: [...constants, null] } : { type: 'string', enum: constants };
  }
  const [only] = solid;
  if (nullable && only && solid.length === 1) {
    const plain = simplify(only);
    if (typeof plain.type === 'string') {
      const values = Array.isArray(plain.enum) ? { enum: [...plain.enum, null] } : {};
      return { ...plain, type: [plain.type, 'null'], ...values };
    }
  }
  return { anyOf: branches.map(simplify) };
};

const mapValues = (schemas: Readonly<Record<string, SchemaShape>>): Record<string, Plain> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, simplify(schema)]));
