// How much processor time programs have used, from /proc: on a machine that is shared, what a request costs says more than
// how many fit into a second.

import { readdir, readFile } from 'node:fs/promises';

/** A tick of /proc, in microseconds; 100 a second on every Linux that Node runs on. */
const TICK_MICROS = 10_000;

type Stat = { readonly pid: number; readonly parent: number; readonly micros: number };

const statOf = async (pid: string): Promise<Stat | null> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The name, in brackets, may hold anything; what follows is a list.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number(pid),
    parent: Number(fields[1]),
    micros: (Number(fields[11]) + Number(fields[12])) * TICK_MICROS,
  };
};

/** Of each part: its processes and their children. */
export const cpuMicros = async (
  parts: Readonly<Record<string, readonly number[]>>,
): Promise<Record<string, number>> => {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  if (pids.length === 0) throw new Error('The processor time of other programs can only be read on Linux.');
  const stats = (await Promise.all(pids.map(statOf))).filter((stat) => stat !== null);
  return Object.fromEntries(
    Object.entries(parts).map(([name, own]) => {
      const mine = stats.filter(({ pid, parent }) => own.includes(pid) || own.includes(parent));
      return [name, mine.reduce((sum, { micros }) => sum + micros, 0)];
    }),
  );
};
