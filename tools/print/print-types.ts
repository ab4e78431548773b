// Writes a schema as a TypeScript type: what the SDK shows to its users, without a schema library behind it. It must
// never guess: a schema that it does not know stops it.

import type { Variant } from '../../contract/src/api/fields.ts';

export type Shape = {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly patternProperties?: Readonly<Record<string, Shape>>;
  readonly description?: string;
  /** An amount, which has a name of its own in the SDK. */
  readonly decimal?: 'shown' | 'written';
  /** The ways to fill in an object whose fields depend on each other. */
  readonly variants?: readonly Variant[];
};

/** Types that have a name of their own, by what they look like. */
export type Names = {
  /** The name to use for this schema here, or null to write it out. */
  nameOf(shape: Shape): string | null;
};

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
  never: 'never',
};

const WIDTH = 120;

export const printType = (shape: Shape, names: Names, indent = ''): string => {
  const named = names.nameOf(shape);
  if (named) return named;
  if (shape.const !== undefined) return literal(shape.const);
  if (shape.enum) return shape.enum.map(literal).join(' | ');
  if (shape.anyOf) return shape.anyOf.map((each) => printType(each, names, indent)).join(' | ');
  if (shape.type === 'array') return printArray(shape, names, indent);
  if (shape.type === 'object') return printObject(shape, names, indent);
  if (shape.type === undefined) return 'unknown';
  const plain = PLAIN[String(shape.type)];
  if (plain === undefined) throw new Error(`no type is known for ${JSON.stringify(shape)}`);
  return plain;
};

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value);

const printArray = ({ items }: Shape, names: Names, indent: string): string => {
  if (!items) throw new Error('an array without items');
  const item = printType(items, names, indent);
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
};

const printObject = (shape: Shape, names: Names, indent: string): string => {
  const values = Object.values(shape.patternProperties ?? {})[0];
  if (values) return `Record<string, ${printType(values, names, indent)}>`;
  const properties = Object.entries(shape.properties ?? {});
  if (properties.length === 0) return 'Record<string, unknown>';
  return printFields(shape, names, indent);
};

/** One object type for each way to fill it in; otherwise one. */
export const printFields = (shape: Shape, names: Names, indent = ''): string =>
  (shape.variants ?? [{}]).map((variant) => printBraces(variantOf(shape, variant), names, indent)).join(' | ');

/** The object as one of its variants: what it needs is required, and what does not belong to it is `never`. */
const variantOf = (shape: Shape, { only = {}, needs = [], without = [] }: Variant): Shape => {
  const fields = Object.entries(shape.properties ?? {}).map(([name, field]): [string, Shape] => {
    if (without.includes(name)) return [name, NEVER];
    return [name, only[name] ? { ...field, enum: only[name] } : field];
  });
  return { ...shape, properties: Object.fromEntries(fields), required: [...(shape.required ?? []), ...needs] };
};

const NEVER: Shape = { type: 'never' };

/** The braces and what is between them, one field per line with its sentence above it. */
const printBraces = (shape: Shape, names: Names, indent: string): string => {
  const inner = `${indent}  `;
  const lines = Object.entries(shape.properties ?? {}).flatMap(([name, field]) => {
    const mark = shape.required?.includes(name) ? '' : '?';
    return [...printDoc(sentenceOf(field), inner), `${inner}${name}${mark}: ${printType(field, names, inner)};`];
  });
  const rest = shape.additionalProperties === true ? [`${inner}[other: string]: unknown;`] : [];
  return ['{', ...lines, ...rest, `${indent}}`].join('\n');
};

/** What may be null says what it is otherwise. */
const sentenceOf = ({ description, anyOf }: Shape): string | undefined => description ?? anyOf?.[0]?.description;

/** A comment above a field or a type; long sentences are broken at blanks. */
export const printDoc = (text: string | undefined, indent: string): string[] => {
  if (!text) return [];
  const words = text.replaceAll('*/', '* /').split(/\s+/);
  const single = `${indent}/** ${words.join(' ')} */`;
  if (single.length <= WIDTH) return [single];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && `${indent} * ${line} ${word}`.length > WIDTH) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [`${indent}/**`, ...[...lines, line].map((each) => `${indent} * ${each}`), `${indent} */`];
};
