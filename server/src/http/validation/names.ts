// Renames every field to its name in the schema: buyer_id and buyerId are the same field, and so are the spellings in `aliases`. It
// never changes free-form data, and a value with only known names is returned unchanged.

import { snakeCase } from '../../base/snake-case.ts';
import type { Messages } from './messages.ts';
import { child, isFreeForm, isObject, type JsonObject, type SchemaShape } from './schema-shape.ts';

type Rename = (value: unknown, at: { path: string; messages: Messages }) => unknown;

const toCamel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** Every accepted spelling of the properties of an object, with the name in the schema. */
export const spellingsOf = (properties: Readonly<Record<string, SchemaShape>>): Map<string, string> => {
  const spellings = new Map<string, string>();
  for (const [name, schema] of Object.entries(properties)) {
    const aliases = (schema.aliases ?? []).flatMap((alias) => [alias, snakeCase(alias), toCamel(alias)]);
    for (const spelling of [snakeCase(name), toCamel(name), ...aliases]) spellings.set(spelling, name);
  }
  // The name of a property always means that property, even when it is also an alias of another.
  for (const name of Object.keys(properties)) spellings.set(name, name);
  return spellings;
};

/** Null: no field below this schema needs another name. */
export const compileRename = (schema: SchemaShape): Rename | null => {
  if (schema.anyOf) return renameAny(schema.anyOf);
  if (schema.items) return renameItems(schema.items);
  if (schema.properties && !isFreeForm(schema)) return renameObject(schema.properties);
  return null;
};

const renameItems = (items: SchemaShape): Rename | null => {
  const rename = compileRename(items);
  if (rename === null) return null;
  return (value, { path, messages }) =>
    Array.isArray(value) ? value.map((item, i) => rename(item, { path: child(path, i), messages })) : value;
};

// The branches of a union share one set of names, because the branch is known only after the renaming.
const renameAny = (branches: readonly SchemaShape[]): Rename | null => {
  const properties = Object.assign({}, ...branches.map((branch) => branch.properties ?? {}));
  const renameOne = Object.keys(properties).length > 0 ? renameObject(properties) : null;
  const items = branches.find((branch) => branch.items)?.items;
  const renameMany = items ? renameItems(items) : null;
  if (renameOne === null) return renameMany;
  return (value, at) => (Array.isArray(value) ? (renameMany?.(value, at) ?? value) : renameOne(value, at));
};

const renameObject = (properties: Readonly<Record<string, SchemaShape>>): Rename => {
  const spellings = spellingsOf(properties);
  const inner: [string, Rename][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const rename = compileRename(schema);
    if (rename) inner.push([name, rename]);
  }
  return (value, at) => {
    if (!isObject(value)) return value;
    let result = value;
    for (const key in value) {
      const name = spellings.get(key);
      if (name !== undefined && name !== key) {
        result = renameKeys(value, { spellings, at });
        break;
      }
    }
    for (const [name, rename] of inner) {
      if (result[name] === undefined) continue;
      const renamed = rename(result[name], { path: child(at.path, name), messages: at.messages });
      if (renamed !== result[name]) {
        if (result === value) result = { ...value };
        result[name] = renamed;
      }
    }
    return result;
  };
};

type Renaming = {
  readonly spellings: Map<string, string>;
  readonly at: { readonly path: string; readonly messages: Messages };
};

const renameKeys = (value: JsonObject, { spellings, at }: Renaming) => {
  const seen = new Map<string, string>();
  const result: JsonObject = {};
  for (const key in value) {
    const name = spellings.get(key) ?? key;
    const before = seen.get(name);
    if (before !== undefined) {
      at.messages.add(child(at.path, before), `and ${child(at.path, key)} are the same field: send only one of them`);
      continue;
    }
    seen.set(name, key);
    result[name] = value[key];
  }
  return result;
};
