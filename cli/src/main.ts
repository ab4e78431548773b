// Runs one command and exits with its exit code. Every error becomes a message on standard error.

import { CommanderError } from 'commander';
import { EXIT, reportOf, wrongUsage } from './failures.ts';
import { createProgram } from './program.ts';
import { interruptByPipe, isInterruption } from './run.ts';
import { createOut } from './view/out.ts';
import { harmless } from './view/paint.ts';

/** Also used when the options could not be parsed. */
const isJson = process.argv.includes('--json');

// The reader of our output may stop reading, as `head` does. Streaming commands then end. All other commands finish and exit with
// their own exit code: a step of an order must not be skipped because the reader is gone.
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
  // The message is already printed; help and --version exit with 0.
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
  return code === 'commander.help'
    ? 'A command is missing; --help lists the commands.'
    : message.replace(/^error: /, '');
}
