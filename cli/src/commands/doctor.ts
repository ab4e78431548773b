// The hardening checklist for the settings, the machine and the database of a server. Runs on the server's machine, with the
// server's settings.

import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { define } from '../define.ts';
import { EXIT, failure } from '../failures.ts';
import { dataFolder } from '../profiles.ts';
import { action } from '../run.ts';
import { entryPath } from '../server-entry.ts';
import type { Out } from '../view/out.ts';

type Check = {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'failed' | 'unknown';
  readonly detail: string;
  readonly remedy: string | null;
};

type Checkup = { readonly ok: boolean; readonly checks: readonly Check[] };

const MARKS: Readonly<Record<Check['state'], string>> = { ok: '✓', warning: '!', failed: '✗', unknown: '?' };

/** The server's own program prints the checks as JSON; its error output is passed on. */
const examine = async (): Promise<Checkup> => {
  const child = spawn(process.execPath, [entryPath('programs/doctor.ts'), '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataFolder(process.env) },
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  try {
    return JSON.parse(said) as Checkup;
  } catch {
    throw failure('The checks could not run; see above.');
  }
};

const show = (out: Out, { ok, checks }: Checkup): void => {
  const painted = (text: string, { state }: Check): string => {
    if (state === 'failed') return out.paint.red(text);
    return state === 'ok' ? out.paint.green(text) : out.paint.yellow(text);
  };
  out.line(
    'Checked with the settings of this shell. For those of a service, run it with the environment of the service: docs/security.md says how.',
  );
  out.line('');
  out.table(checks, [
    { title: '', of: ({ state }) => MARKS[state], paint: painted },
    { title: 'check', of: ({ name }) => name },
    { title: 'detail', of: ({ detail }) => detail, flexible: true },
  ]);
  out.line('');
  for (const { name, state, remedy } of checks) {
    if (remedy !== null) out.line(`${MARKS[state]} ${name}: ${remedy}`);
  }
  const count = (wanted: Check['state']): number => checks.filter(({ state }) => state === wanted).length;
  const counts = `Failed checks: ${count('failed')}. Warnings: ${count('warning')}. Not checked: ${count('unknown')}.`;
  out.line(ok ? out.paint.green(counts) : out.paint.red(counts));
};

export const addDoctorCommand = (program: Command): void => {
  define(program, {
    name: 'doctor',
    what: 'check the settings of this shell, the machine and the database against the hardening checklist; exits with 1 when a check fails',
    examples: ['holdfast doctor', 'HOST=0.0.0.0 holdfast doctor --json'],
  }).action(
    action(async ({ out }) => {
      const checkup = await examine();
      if (out.isJson) out.json(checkup);
      else show(out, checkup);
      return checkup.ok ? EXIT.fine : EXIT.refused;
    }),
  );
};
