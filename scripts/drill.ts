// `npm run drill -- NAME…`: plays drills on servers of its own, in temporary folders, and says what was proved. Without a
// name it lists them; `all` plays every one. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { Argument } from 'commander';
import { INTERRUPTED, watchInterruption } from '../server/src/programs/interruption.ts';
import { decimal, printFindings, scriptCommand } from '../server/src/programs/script-command.ts';
import { DRILLS } from '../tools/drills/drills.ts';
import { type Drill, isNotPlayed, playDrill } from '../tools/drills/stage.ts';

const command = scriptCommand('drill', 'Plays drills on servers of their own, in temporary folders.')
  .addArgument(new Argument('[names...]', 'the drills, or all').choices(['all', ...DRILLS.map(({ name }) => name)]))
  .option('--seconds <number>', 'duration of the load', decimal({ from: 0, to: 86_400 }))
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
    console.log(`  ${isWhole ? 'Everything held' : 'NOT everything held'}, in ${seconds()}.`);
    return isWhole;
  } catch (error) {
    if (isNotPlayed(error)) {
      console.log(`  --   not played: ${error.message}`);
      return true;
    }
    console.log(`  NO   it could not be played to its end: ${describe(error)}`);
    return false;
  }
};

if (chosen.length === 0) command.outputHelp();
for (const drill of chosen) {
  if (!(await run(drill))) process.exitCode = 1;
  if (interruption.aborted) process.exit(INTERRUPTED);
}
