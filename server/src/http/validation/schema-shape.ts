// The JSON Schema of a TypeBox schema, with our own annotations, for code that walks schemas.

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
