// The record of an import beside the source: what each run has written, and the balances before the first write. Lines are only appended. A
// last line that a crash has cut is ignored.

import { open, readFile } from 'node:fs/promises';
import { failure } from '../failures.ts';
import { amountOf, unitsOf } from '../money.ts';
import type { Balance } from './target.ts';

type Line = Readonly<Record<string, unknown>> & { readonly type: string };

export type StateFile = {
  readonly path: string;
  /** The balance of a user before the import; null: not recorded. */
  before(key: string): Balance | null;
  /** How often the server has refused a row. */
  refusals(what: string): number;
  /** The first line of a run. */
  begin(run: Readonly<Record<string, string>>): Promise<void>;
  append(...lines: readonly Line[]): Promise<void>;
  close(): Promise<void>;
};

/** How the codes begin that say that an Idempotency-Key has a request already. */
export const KEY_IN_USE = 'IDEMPOTENCY_KEY_';

const parsed = (text: string): Line[] =>
  text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Line];
    } catch {
      return [];
    }
  });

const readLines = async (path: string): Promise<{ lines: Line[]; isCut: boolean }> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw failure(`${path} cannot be read: ${error.message}`);
  });
  return { lines: parsed(text), isCut: text !== '' && !text.endsWith('\n') };
};

type Asked = { readonly path: string; readonly target: string };

export const openStateFile = async ({ path, target }: Asked): Promise<StateFile> => {
  const { lines, isCut } = await readLines(path);
  const other = lines.find((line) => line.type === 'run' && line.target !== target);
  if (other) throw failure(`${path} belongs to an import into ${other.target}. Choose another file with --state.`);
  const before = new Map<string, Balance>();
  const refusals = Map.groupBy(
    // A key that was in use is no refusal of its row: the row may wait or be written.
    lines.filter(({ type, code }) => type === 'refused' && !String(code).startsWith(KEY_IN_USE)),
    ({ what }) => what,
  );
  for (const line of lines) {
    const { type, key, available, reserved } = line as Record<string, string>;
    if (type === 'before' && !before.has(key!))
      before.set(key!, { available: unitsOf(available!), reserved: unitsOf(reserved!) });
  }
  const handle = await open(path, 'a', 0o600);
  if (isCut) await handle.appendFile('\n');
  const append = async (...added: readonly Line[]): Promise<void> => {
    for (const line of added) {
      const { type, key, available, reserved } = line as Line & { key: string } & Balance;
      if (type === 'before') before.set(key, { available, reserved });
    }
    const text = added.map((line) => JSON.stringify(line, jsonOf)).join('\n');
    if (text !== '') await handle.appendFile(`${text}\n`);
  };
  return {
    path,
    before: (key) => before.get(key) ?? null,
    refusals: (what) => refusals.get(what)?.length ?? 0,
    begin: (run) => append({ type: 'run', target, ...run }),
    append,
    async close() {
      await handle.sync();
      await handle.close();
    },
  };
};

const jsonOf = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? amountOf(value) : value);
