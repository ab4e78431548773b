// What the two OpenAPI documents promise, as rows: every operation with what it takes and a compiled check of each
// answer that it documents. Read from the running server, because that is what a caller has.

import { Compile } from 'typebox/compile';
import '../../server/src/http/validation/formats.ts';

export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly additionalProperties?: unknown;
};

export type Field = { readonly name: string; readonly schema: Schema; readonly required: boolean };

/** Null: documented in words only. */
type AnswerCheck = ((body: unknown) => string | null) | null;

export type Operation = {
  readonly surface: 'A' | 'B';
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly params: readonly Field[];
  readonly query: readonly Field[];
  readonly body: Schema | null;
  readonly isIdempotent: boolean;
  readonly answers: ReadonlyMap<number, AnswerCheck>;
  /** The success is also documented as CSV. */
  readonly isAlsoCsv: boolean;
};

// biome-ignore lint/suspicious/noExplicitAny: a document is read like JavaScript would
type Document = any;

const DOCUMENTS = [
  { surface: 'A', path: '/docs/openapi.json' },
  { surface: 'B', path: '/docs/surface-b.json' },
] as const;

export const readOperations = async (url: string): Promise<Operation[]> => {
  const read = await Promise.all(
    DOCUMENTS.map(async ({ surface, path }) => {
      const document: Document = await (await fetch(url + path)).json();
      return Object.entries<Document>(document.paths).flatMap(([route, methods]) =>
        Object.entries<Document>(methods).map(([method, operation]) =>
          operationOf(document, { surface, route, method, operation }),
        ),
      );
    }),
  );
  return read.flat();
};

type Described = { surface: 'A' | 'B'; route: string; method: string; operation: Document };

const operationOf = (document: Document, { surface, route, method, operation }: Described): Operation => {
  const fields: Document[] = operation.parameters.map((each: Document) => resolved(document, each));
  const fieldsIn = (place: string): Field[] =>
    fields.filter((each) => each.in === place).map(({ name, schema, required }) => ({ name, schema, required }));
  return {
    surface,
    name: `${method.toUpperCase()} ${route}`,
    method: method.toUpperCase(),
    path: route,
    params: fieldsIn('path'),
    query: fieldsIn('query'),
    body: operation.requestBody?.content['application/json'].schema ?? null,
    isIdempotent: fields.some(({ name }) => name === 'Idempotency-Key'),
    isAlsoCsv: operation.responses['200']?.content?.['text/csv'] !== undefined,
    answers: new Map(
      Object.entries<Document>(operation.responses).map(([status, response]) => {
        const schema = resolved(document, response).content?.['application/json']?.schema;
        return [Number(status), schema === undefined ? null : checkOf(resolved(document, schema))];
      }),
    ),
  };
};

const resolved = (document: Document, part: Document): Document =>
  typeof part.$ref === 'string'
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((at: Document, key: string) => at[key], document)
    : part;

/** The library that checks what callers send also checks what they get. */
const checkOf = (schema: Document): AnswerCheck => {
  const compiled = Compile(schema);
  return (body) => {
    if (compiled.Check(body)) return null;
    const [first] = compiled.Errors(body);
    return `${first?.instancePath || 'the answer'} ${first?.message}`;
  };
};
