// A TypeBox schema as the JSON Schema it is, with the few annotations of our own, for code that walks schemas.

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
  /** Size of the value as JSON, at most. */
  readonly maxBytes?: number;
};

export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isFreeForm = (schema: SchemaShape): boolean => {
  const values = Object.values(schema.patternProperties ?? {});
  return values.length > 0 && values.every((value) => Object.keys(value).length === 0);
};

/** `milestones[0].amount`, as a sentence names it. */
export const child = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};
