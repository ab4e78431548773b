// Checks one part of a request against its schema: first the names, then the compiled check, then the limits of free-form data. Messages
// are made only when a check fails.

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import type { DomainError } from '../../base/domain-error.ts';
import { Unreadable } from '../body.ts';
import { explain } from './explain.ts';
import './formats.ts';
import { compileMeasure } from './free-form.ts';
import { Messages, validationError } from './messages.ts';
import { compileRename } from './names.ts';
import { compileQuery } from './query.ts';
import type { SchemaShape } from './schema-shape.ts';

/** The result in the form that Fastify expects. */
export type Checked = { readonly value: unknown; readonly error?: undefined } | { readonly error: DomainError };
export type PartValidator = (value: unknown) => Checked;

type Finish = (value: unknown, messages: Messages) => Checked;

const compileFinish = (schema: TSchema): Finish => {
  const shape = schema as SchemaShape;
  const compiled = Compile(schema);
  const measure = compileMeasure(shape);
  return (value, messages) => {
    if (!compiled.Check(value)) {
      const before = messages.list.length;
      explain(shape, { value, path: '', messages });
      // A failed check without an explanation still needs a message.
      if (messages.list.length === before) {
        for (const error of compiled.Errors(value))
          messages.add(error.instancePath.slice(1).replaceAll('/', '.'), error.message);
      }
    } else if (measure) measure(value, { path: '', messages });
    return messages.list.length > 0 ? { error: validationError(messages.list) } : { value };
  };
};

export const bodyValidator = (schema: TSchema, options: { optional: boolean }): PartValidator => {
  const rename = compileRename(schema as SchemaShape);
  const finish = compileFinish(schema);
  return (given) => {
    if (given instanceof Unreadable) return { error: validationError([given.reason]) };
    if (given === null && !options.optional)
      return { error: validationError(['The body is required: send a JSON object.']) };
    const messages = new Messages('The body');
    const value = given === null ? {} : given;
    return finish(rename === null ? value : rename(value, { path: '', messages }), messages);
  };
};

export const queryValidator = (schema: TSchema): PartValidator => {
  const turn = compileQuery(schema as SchemaShape);
  const finish = compileFinish(schema);
  return (given) => {
    const messages = new Messages('The query');
    return finish(turn((given ?? {}) as Record<string, string>, messages), messages);
  };
};

/** For a route without parameters: any parameter is unknown. */
export const emptyQueryValidator: PartValidator = (given) => {
  const names = Object.keys(given ?? {});
  if (names.length === 0) return { value: given };
  return { error: validationError(unknownParameters(names)) };
};

export const unknownParameters = (names: readonly string[]): readonly string[] => {
  const messages = new Messages('The query');
  for (const name of names) messages.add(name, 'is not a known parameter');
  return messages.list;
};

export const paramsValidator = (schema: TSchema): PartValidator => {
  const finish = compileFinish(schema);
  return (given) => finish(given, new Messages('The path'));
};
