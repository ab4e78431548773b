// Reads the environment into a Config, or reports all problems at once. It opens no file, does not read process.env and never puts a
// secret into a message.

import { DANGERS } from './dangers.ts';
import { findNearNames } from './near-names.ts';
import type { Setting } from './setting.ts';
import { type Config, ROWS } from './settings.ts';

export { warningsOf } from './dangers.ts';
export { isLoopback } from './parsers.ts';
export type { Config } from './settings.ts';

export type Env = Readonly<Record<string, string | undefined>>;
export type ReadConfig = { ok: true; config: Config } | { ok: false; problems: string[] };

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
