// The JSON Schema of a TypeBox schema, with our own annotations, for code that walks schemas; and the plain form of a schema for
// serialisers and the API reference.

import type { TSchema } from 'typebox';
export type SchemaShape = {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly patternProperties?: Readonly<Record<string, SchemaShape>>;
  readonly propertyNames?: SchemaShape;
  readonly additionalProperties?: boolean | SchemaShape;
  readonly required?: readonly string[];
  readonly items?: SchemaShape;
  readonly anyOf?: readonly SchemaShape[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string | RegExp;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly examples?: readonly unknown[];
  readonly '~refine'?: readonly { check(value: unknown): boolean; error(value: unknown): string }[];
  /** Other spellings under which this property is accepted. */
  readonly aliases?: readonly string[];
  /** Maximum size of the value as JSON. */
  readonly maxBytes?: number;
  /** Keys of free-form data that hold names. */
  readonly names?: readonly string[];
};

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isFreeForm = (schema: SchemaShape): boolean => {
  const values = Object.values(schema.patternProperties ?? {});
  return values.length > 0 && values.every((value) => Object.keys(value).length === 0);
};

/** The path as it is shown in messages: `milestones[0].amount`. */
export const child = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

type Plain = Record<string, unknown>;

const OURS = new Set(['aliases', 'maxBytes', 'names', 'decimal', 'variants']);

/**
 * A schema in its simplest form: a union of constants as an enum, "or null" as a second type, free-form data as an open object. The
 * meaning is the same, the serialiser is much faster, and the API reference is easier to read.
 */
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
