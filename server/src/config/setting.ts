// What one setting is: a row of the settings table. Its default is written as text and goes through the same parser as
// the environment, so a default can never be something an operator could not have typed.

import type { Parser } from './parsers.ts';

export type Setting<T> = {
  name: string;
  parser: Parser<T>;
  meaning: string;
  example: string;
  secret: boolean;
  default: string | null;
  // What happens while it is unset and has no default.
  unset: string | null;
};

type Row<T> = Pick<Setting<T>, 'name' | 'parser' | 'meaning' | 'example'> & { secret?: boolean };

export function setting<T>(row: Row<T> & { default: string }): Setting<T> {
  return { secret: false, unset: null, ...row };
}

export function optionalSetting<T>(row: Row<T> & { unset: string }): Setting<T> & { default: null } {
  return { secret: false, ...row, default: null };
}
