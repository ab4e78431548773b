// Converts the texts of a query string to the types of the schema: numbers, flags, lists. A text that cannot be converted stays as it
// is, and the check refuses it.

import type { Messages } from './messages.ts';
import { spellingsOf } from './names.ts';
import type { JsonObject, SchemaShape } from './schema-shape.ts';

type Texts = Readonly<Record<string, string | string[]>>;

export const compileQuery = (schema: SchemaShape): ((query: Texts, messages: Messages) => JsonObject) => {
  const properties = schema.properties ?? {};
  const spellings = spellingsOf(properties);
  const defaults = Object.entries(properties).filter(([, property]) => property.default !== undefined);

  return (query, messages) => {
    const result: JsonObject = {};
    const seen = new Map<string, string>();
    for (const key in query) {
      const name = spellings.get(key);
      const property = name === undefined ? undefined : properties[name];
      if (name === undefined || property === undefined) {
        messages.add(key, 'is not a known parameter');
        continue;
      }
      const before = seen.get(name);
      if (before !== undefined) {
        messages.add(before, `and ${key} are the same parameter: send only one of them`);
        continue;
      }
      seen.set(name, key);
      const given = query[key]!;
      if (property.type === 'array') result[name] = [given].flat().map((text) => convert(property.items ?? {}, text));
      else if (Array.isArray(given)) messages.add(name, 'must be given only once');
      else result[name] = convert(property, given);
    }
    for (const [name, property] of defaults) result[name] ??= property.default;
    return result;
  };
};

const WHOLE = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

const convert = (schema: SchemaShape, text: string): unknown => {
  if (schema.type === 'integer') return WHOLE.test(text) ? Number(text) : text;
  if (schema.type === 'number') return DECIMAL.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
};
