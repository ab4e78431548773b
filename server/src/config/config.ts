// Reads the environment into a Config, or reports all problems at once. It opens no file, does not read process.env and never puts a
// secret into a message.

import { DANGERS } from './dangers.ts';
import type { Setting } from './setting.ts';
import { type Config, ROWS } from './settings.ts';

export { warningsOf } from './dangers.ts';
export { isLoopback } from './parsers.ts';
export type { Config } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;
type ReadConfig = { ok: true; config: Config } | { ok: false; problems: string[] };

export function readConfig(env: Env): ReadConfig {
  const sections: Record<string, Record<string, unknown>> = {};
  const unreadable = new Set<string>();
  const problems: string[] = [];

  for (const { section, key, setting } of ROWS) {
    // A compose file passes an unset variable on as an empty one.
    const given = env[setting.name]?.trim() || null;
    const value = readSetting(setting, given);
    if (value === undefined) {
      unreadable.add(setting.name);
      problems.push(refuse(setting, given));
    }
    sections[section] = { ...sections[section], [key]: value };
  }

  const config = sections as Config;
  for (const danger of DANGERS) {
    if (!danger.names.some((name) => unreadable.has(name)) && danger.holds(config)) problems.push(danger.sentence);
  }
  problems.push(
    ...findNearNames(
      env,
      ROWS.map(({ setting }) => setting.name),
    ),
  );
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

function readSetting(setting: Setting<unknown>, given: string | null): unknown {
  const text = given ?? setting.default;
  return text === null ? null : setting.parser.read(text);
}

function refuse(setting: Setting<unknown>, given: string | null): string {
  const shown = setting.secret ? `(${given?.length ?? 0} characters, not shown)` : `"${given}"`;
  return `${setting.name} is ${shown}: give ${setting.parser.expects}, for example ${setting.name}=${setting.example}`;
}

const SHORT = 5;

// Finds environment variables that are probably a misspelt setting. It must not report variables of other programs, so it reports one
// only when the names are nearly equal and the real setting is absent.
function findNearNames(env: Env, names: readonly string[]): string[] {
  return Object.keys(env).flatMap((given) => {
    if (!env[given] || names.includes(given) || !/^[A-Z][A-Z0-9_]*$/.test(given)) return [];
    const meant = names.find((name) => !env[name] && isNear(given, name));
    return meant ? [`${given} is set but is not a setting: did you mean ${meant}?`] : [];
  });
}

// HOST and PORT differ by one letter from many real words (HOSTS, PORTS, POST). So a short name must have the same letters in
// another order.
function isNear(given: string, name: string): boolean {
  if (given[0] !== name[0]) return false;
  if (name.length <= SHORT) return [...given].sort().join('') === [...name].sort().join('');
  return distance(given, name) <= (name.length < 12 ? 1 : 2);
}

// Number of edits between two words; two adjacent letters swapped count as one.
function distance(a: string, b: string): number {
  const rows = [...Array(a.length + 1).keys()].map((i) => [i, ...Array<number>(b.length).fill(0)]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed);
      rows[i]![j] = swapped ? Math.min(best, at(i - 2, j - 2) + 1) : best;
    }
  }
  return at(a.length, b.length);
}
