// `npm run drill -- NAME…`: plays drills on servers of its own, in temporary folders, and says what was proved. Without a
// name it lists them; `all` plays every one. Ends with 1 when a promise did not hold.

import path from 'node:path';
import { parseArgs } from 'node:util';
import { DRILLS } from './drills.ts';
import { printFindings } from './print.ts';
import { type Drill, isNotPlayed, playDrill } from './stage.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { seconds: { type: 'string' } } });
process.env.NODE_COMPILE_CACHE ??= path.resolve(import.meta.dirname, '../../node_modules/.cache/holdfast-tests');

const chosen = positionals.includes('all') ? DRILLS : DRILLS.filter(({ name }) => positionals.includes(name));
const unknown = positionals.filter((name) => name !== 'all' && !DRILLS.some((drill) => drill.name === name));

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error(`it was interrupted by ${signal}`)));
}

const describe = (error: unknown): string =>
  error instanceof Error ? ((interruption.signal.aborted ? null : error.stack) ?? error.message) : String(error);

const run = async (drill: Drill): Promise<boolean> => {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
  console.log(`\n${drill.name}: ${drill.about}`);
  try {
    const findings = await playDrill(drill, {
      ...(values.seconds === undefined ? {} : { seconds: Number(values.seconds) }),
      signal: interruption.signal,
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

if (unknown.length > 0) {
  console.error(`There is no drill ${unknown.join(' or ')}.`);
  process.exitCode = 2;
} else if (chosen.length === 0) {
  console.log('npm run drill -- NAME… [--seconds N], or all');
  for (const { name, about } of DRILLS) console.log(`  ${name.padEnd(18)} ${about}`);
} else {
  for (const drill of chosen) {
    if (!(await run(drill))) process.exitCode = 1;
    if (interruption.signal.aborted) process.exit(130);
  }
}
