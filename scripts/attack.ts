// `npm run attack -- [--seconds S]`: a quiet tenant on a server of its own, undisturbed and beside one attack after the other, and
// what it noticed. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { Option } from 'commander';
import { endInterrupted, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, notEmpty, scriptCommand, whole } from '../server/src/programs/script-command.ts';
import { attackReport, attackVerdict } from '../tools/load/attack/report.ts';
import { ATTACKS, type AttackName } from '../tools/load/attack/requests.ts';
import { runAttack } from '../tools/load/attack/run.ts';
import { findingLines, keepSection, machineLine } from '../tools/load/tables.ts';

const values = scriptCommand(
  'attack',
  'What a quiet tenant notices while another tenant, or an unknown caller, attacks.',
)
  .option('--seconds <number>', 'duration of each phase', decimal({ from: 1 }), 15)
  .option('--entries <number>', "audit entries of the attacker's marketplace", whole({ from: 0 }), 20_000)
  .addOption(new Option('--only <attack>', 'one attack; all when left out').choices(ATTACKS))
  .option('--tree <folder>', 'attack the server of another version of this project', notEmpty)
  .option('--report', 'write the result to docs/load-report.md', false)
  .parse()
  .opts<{ seconds: number; entries: number; only?: AttackName; tree?: string; report: boolean }>();
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const command = `npm run attack -- ${process.argv.slice(2).join(' ')}`.trim();
const signal = watchInterruption();
const attacked = await runAttack({
  until: { ms: values.seconds * 1_000 },
  entries: values.entries,
  ...(values.only ? { attacks: [values.only] } : {}),
  ...(values.tree ? { tree: values.tree } : {}),
  signal,
  say: (line) => console.error(line),
}).catch((error: unknown) => endInterrupted(signal, error));
const findings = attackVerdict(attacked);
if (!findings.every(({ holds }) => holds)) process.exitCode = 1;
const report = [
  machineLine({ command, seed: null, postgres: attacked.postgres }),
  attackReport(attacked),
  findingLines(findings),
].join('\n\n');
console.log(report);
if (values.report) await keepSection(values.tree ? 'Attack on an earlier version' : 'Attack', report);
