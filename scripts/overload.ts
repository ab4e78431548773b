// `npm run overload -- [--seconds S]`: many times more than a server of its own can take, once with a limit per key and once
// without, and what it made of that. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { decimal, flag, oneOf, ordersOf, whole } from '../tools/arguments.ts';
import { overloadReport, overloadVerdict } from '../tools/load/overload-report.ts';
import { type Mode, runOverload } from '../tools/load/overload-run.ts';
import { findingLines, keepSection, machineLine } from '../tools/load/tables.ts';
import { endInterrupted, watchInterruption } from '../tools/processes/interruption.ts';

const USAGE = `npm run overload -- [options]
  --seconds S      how long the crowd stays (20); slow senders are sent away after 10 to 15
  --connections N  how many ask at once (2000); 64 keep the server busy
  --processes P    that they come from (2)
  --dawdlers D     connections that never finish their request (50)
  --mode M         queues or rate; both when left out
  --report         put it into docs/load-report.md`;

const MODES = ['queues', 'rate'] as const satisfies Mode[];

const { values } = ordersOf({
  usage: USAGE,
  options: {
    seconds: decimal({ from: 1 }, 20),
    connections: whole({ from: 1, to: 20_000 }, 2_000),
    processes: whole({ from: 1, to: 64 }, 2),
    dawdlers: whole({ from: 0, to: 20_000 }, 50),
    mode: oneOf(MODES),
    report: flag(),
  },
});
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const CALM_SHARE = 4;
const ms = values.seconds * 1_000;
const modes = MODES.filter((mode) => (values.mode ?? mode) === mode);
const command = `npm run overload -- ${process.argv.slice(2).join(' ')}`.trim();
const signal = watchInterruption();
const parts: string[] = [];
for (const mode of modes) {
  const overload = await runOverload({
    ...{ mode, until: { ms }, calmUntil: { ms: ms / CALM_SHARE } },
    ...{ processes: values.processes, connections: values.connections, dawdlers: values.dawdlers, signal },
    say: (line) => console.error(`${mode}: ${line}`),
  }).catch((error: unknown) => endInterrupted(signal, error));
  const findings = overloadVerdict(overload);
  if (parts.length === 0) parts.push(machineLine({ command, seed: null, postgres: overload.postgres }));
  parts.push(overloadReport(overload, mode), findingLines(findings));
  if (!findings.every(({ holds }) => holds)) process.exitCode = 1;
}
const report = parts.join('\n\n');
console.log(report);
if (values.report) await keepSection('Overload', report);
