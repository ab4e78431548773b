// One setting: a row of the settings table. Its default is text and passes the same parser as the environment, so every default is a
// value that an operator could have typed.

import type { Parser } from './parsers.ts';

export type Setting<T> = {
  name: string;
  parser: Parser<T>;
  meaning: string;
  example: string;
  secret: boolean;
  default: string | null;
  // What applies while the setting is unset and has no default.
  unset: string | null;
};

type Row<T> = Pick<Setting<T>, 'name' | 'parser' | 'meaning' | 'example'> & { secret?: boolean };

export function setting<T>(row: Row<T> & { default: string }): Setting<T> {
  return { secret: false, unset: null, ...row };
}

export function optionalSetting<T>(row: Row<T> & { unset: string }): Setting<T> & { default: null } {
  return { secret: false, ...row, default: null };
}
