// Tables and figures of the load reports, and the machine that they were taken on.

import { readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

export type Cell = string | number | null;

const shown = (cell: Cell): string => {
  if (cell === null) return '–';
  return typeof cell === 'number' ? cell.toLocaleString('en-US', { maximumFractionDigits: 1 }) : cell;
};

export const table = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|---|${'---:|'.repeat(columns.length - 1)}`;
  return [line(columns), rule, ...rows.map((row) => line(row.map(shown)))].join('\n');
};

export const mib = (bytes: number): number => bytes / 2 ** 20;

/** Both in whole milliseconds, or in tenths where they are short. */
export const pair = (p50Ms: number, p99Ms: number): string => {
  const short = (ms: number): string => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en-US'));
  return `${short(p50Ms)} / ${short(p99Ms)}`;
};

export type Finding = { readonly promise: string; readonly holds: boolean; readonly detail: string };

export const findingLines = (findings: readonly Finding[]): string =>
  findings.map(({ promise, holds, detail }) => `- ${holds ? 'yes' : '**NO**'}: ${promise} (${detail})`).join('\n');

/** Taken before anything begins: afterwards the load is its own. */
export const loadBefore = os.loadavg()[0]!;

export const machineLine = ({
  command,
  seed,
  postgres,
}: {
  command: string;
  seed: number | null;
  postgres: string;
}): string =>
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, \`${command}\`${seed === null ? '' : `, seed ${seed}`}, on ` +
  `${os.cpus()[0]?.model.trim() ?? 'an unknown processor'}, ${os.availableParallelism()} cores, ` +
  `${mib(os.totalmem() / 1_024).toFixed(1)} GiB, ${os.type()} ${os.release()}, Node ${process.version}, ` +
  `PostgreSQL ${postgres}; load average before it began ${loadBefore.toFixed(2)}.`;

const REPORT = path.resolve(import.meta.dirname, '../../docs/load-report.md');

/** Puts the section in the place of the one with the same title, or at the end; everything else of the page stays. */
export const keepSection = async (title: string, text: string): Promise<void> => {
  const page = await readFile(REPORT, 'utf8').catch(() => '# Under load\n');
  const sections = page.split(/^(?=## )/m).map((section) => section.trimEnd());
  const at = sections.findIndex((section) => section.startsWith(`## ${title}\n`));
  const kept = sections.toSpliced(at < 0 ? sections.length : at, at < 0 ? 0 : 1, `## ${title}\n\n${text}`);
  await writeFile(REPORT, `${kept.join('\n\n')}\n`);
};
