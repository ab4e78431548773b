// Runs one command and ends with its exit code. Whatever goes wrong becomes a sentence on standard error.

import { CommanderError } from 'commander';
import { EXIT, reportOf, wrongUsage } from './failures.ts';
import { createProgram } from './program.ts';
import { interruptByPipe, isInterruption } from './run.ts';
import { createOut } from './view/out.ts';
import { harmless } from './view/paint.ts';

/** Also where the options could not be read. */
const isJson = process.argv.includes('--json');

// Whoever reads our output may have enough of it, as `head` does: what goes on for ever then ends. Everything else ends by
// itself, with an exit code that says how it went; a step of an order must not be left out because nobody reads on.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') {
    process.stderr.write(`The output could not be written (${error.code}).\n`);
    process.exit(EXIT.refused);
  }
  interruptByPipe();
});
process.stderr.on('error', () => {});

const program = createProgram({ sayUsage: isJson ? () => {} : (text) => process.stderr.write(text) });

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = sayFailure(error);
}

function sayFailure(error: unknown): number {
  if (isInterruption(error)) return EXIT.interrupted;
  // For people it is said already; help and --version count as fine.
  if (error instanceof CommanderError && (error.exitCode === 0 || !isJson)) {
    return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  }
  const report = reportOf(error instanceof CommanderError ? wrongUsage(usageOf(error)) : error);
  const out = createOut({ isJson });
  if (isJson) process.stderr.write(`${JSON.stringify({ error: report.json })}\n`);
  else {
    const [first, ...rest] = report.lines.flatMap((line) => line.split('\n')).map(harmless);
    out.note(out.notePaint.red(first!));
    for (const line of rest) out.note(line);
  }
  return report.exitCode;
}

function usageOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'A command is missing; --help lists them.' : message.replace(/^error: /, '');
}
