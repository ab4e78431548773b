// `npm run overload -- [--seconds S]`: many times more than a server of its own can take, once with a limit per key and once
// without, and what it made of that. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { overloadReport, overloadVerdict } from './overload-report.ts';
import { type Mode, runOverload } from './overload-run.ts';
import { findingLines, keepSection, machineLine } from './tables.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    connections: { type: 'string', default: '2000' },
    processes: { type: 'string', default: '2' },
    dawdlers: { type: 'string', default: '50' },
    mode: { type: 'string' },
    report: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const HELP = `npm run overload -- [options]
  --seconds S      how long the crowd stays (20); slow senders are sent away after 10 to 15
  --connections N  how many ask at once (2000); 64 keep the server busy
  --processes P    that they come from (2)
  --dawdlers D     connections that never finish their request (50)
  --mode M         queues or rate; both when left out
  --report         put it into docs/load-report.md`;

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/holdfast-tests');

const CALM_SHARE = 4;
const ms = Number(values.seconds) * 1_000;
const modes = (['queues', 'rate'] as const satisfies Mode[]).filter((mode) => (values.mode ?? mode) === mode);
const command = `npm run overload -- ${process.argv.slice(2).join(' ')}`.trim();
const parts: string[] = [];
for (const mode of modes) {
  const overload = await runOverload({
    ...{ mode, until: { ms }, calmUntil: { ms: ms / CALM_SHARE } },
    ...{ processes: Number(values.processes), connections: Number(values.connections) },
    dawdlers: Number(values.dawdlers),
    say: (line) => console.error(`${mode}: ${line}`),
  });
  const findings = overloadVerdict(overload);
  if (parts.length === 0) parts.push(machineLine({ command, seed: null, postgres: overload.postgres }));
  parts.push(overloadReport(overload, mode), findingLines(findings));
  if (!findings.every(({ holds }) => holds)) process.exitCode = 1;
}
const report = parts.join('\n\n');
console.log(report);
if (values.report) await keepSection('Overload', report);
