// `npm run overload -- [--seconds S]`: many times more than a server of its own can take, once with a limit per key and once
// without, and what it made of that. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { Option } from 'commander';
import { endInterrupted, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { overloadReport, overloadVerdict } from '../tools/load/overload-report.ts';
import { type Mode, runOverload } from '../tools/load/overload-run.ts';
import { findingLines, keepSection, machineLine } from '../tools/load/tables.ts';

const MODES = ['queues', 'rate'] as const satisfies Mode[];

const values = scriptCommand(
  'overload',
  'Many times the load that a server can process, and how the server answers it.',
)
  .option('--seconds <number>', 'duration; slow senders are disconnected after 10 to 15', decimal({ from: 1 }), 20)
  .option(
    '--connections <number>',
    'concurrent connections; 64 keep the server busy',
    whole({ from: 1, to: 20_000 }),
    2_000,
  )
  .option('--processes <number>', 'client processes', whole({ from: 1, to: 64 }), 2)
  .option('--dawdlers <number>', 'connections that never finish their request', whole({ from: 0, to: 20_000 }), 50)
  .addOption(new Option('--mode <mode>', 'one mode; both when left out').choices(MODES))
  .option('--report', 'write the result to docs/load-report.md', false)
  .parse()
  .opts<{
    seconds: number;
    connections: number;
    processes: number;
    dawdlers: number;
    mode?: Mode;
    report: boolean;
  }>();
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const CALM_SHARE = 4;
const ms = values.seconds * 1_000;
const modes = MODES.filter((mode) => (values.mode ?? mode) === mode);
const command = `npm run overload -- ${process.argv.slice(2).join(' ')}`.trim();
const signal = watchInterruption();
const parts: string[] = [];
for (const mode of modes) {
  const overload = await runOverload({
    mode,
    until: { ms },
    calmUntil: { ms: ms / CALM_SHARE },
    processes: values.processes,
    connections: values.connections,
    slowClients: values.dawdlers,
    signal,
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
