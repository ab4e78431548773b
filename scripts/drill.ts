// `npm run drill -- NAME…`: runs drills on their own servers, in temporary folders, and prints what each one proved. Without a
// name it lists the drills; `all` runs every drill. It exits with 1 when a check failed.

import path from 'node:path';
import { Argument } from 'commander';
import { INTERRUPTED, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, printFindings, scriptCommand } from '../server/src/programs/script-command.ts';
import { DRILLS } from '../tools/drills/drills.ts';
import { type Drill, isNotPlayed, playDrill } from '../tools/drills/stage.ts';

const command = scriptCommand(
  'drill',
  'Runs drills: each breaks something on purpose on its own server, in a temporary folder, and checks that nothing is lost.',
)
  .addArgument(
    new Argument('[names...]', 'names of drills, or all; without a name the drills are listed').choices([
      'all',
      ...DRILLS.map(({ name }) => name),
    ]),
  )
  .option(
    '--seconds <number>',
    'duration of the load or of the fault; each drill has its own default',
    decimal({ from: 0, to: 86_400 }),
  )
  .addHelpText('after', `\n${DRILLS.map(({ name, about }) => `  ${name.padEnd(18)} ${about}`).join('\n')}`)
  .parse();
const values = command.opts<{ seconds?: number }>();
const names = command.processedArgs[0] as readonly string[];
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../node_modules/.cache/holdfast-tests');

const chosen = names.includes('all') ? DRILLS : DRILLS.filter(({ name }) => names.includes(name));
const interruption = watchInterruption();

const describe = (error: unknown): string =>
  error instanceof Error ? ((interruption.aborted ? null : error.stack) ?? error.message) : String(error);

const run = async (drill: Drill): Promise<boolean> => {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  console.log(`\n${drill.name}: ${drill.about}`);
  try {
    const findings = await playDrill(drill, {
      ...values,
      signal: interruption,
      say: (line) => console.log(`  ${seconds().padStart(7)}  ${line}`),
    });
    const isWhole = printFindings(findings);
    console.log(`  ${isWhole ? 'Every check passed' : 'A check FAILED'}, in ${seconds()}.`);
    return isWhole;
  } catch (error) {
    if (isNotPlayed(error)) {
      console.log(`  --   not run: ${error.message}`);
      return true;
    }
    console.log(`  NO   the drill did not finish: ${describe(error)}`);
    return false;
  }
};

if (chosen.length === 0) command.outputHelp();
for (const drill of chosen) {
  if (!(await run(drill))) process.exitCode = 1;
  if (interruption.aborted) process.exit(INTERRUPTED);
}
