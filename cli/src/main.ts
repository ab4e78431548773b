// Runs one command and ends with its exit code. Whatever goes wrong becomes a sentence on standard error.

import { CommanderError } from 'commander';
import { EXIT, reportOf } from './failures.ts';
import { createProgram } from './program.ts';
import { interruptByPipe, isInterruption } from './run.ts';
import { createOut } from './view/out.ts';

// Whoever reads our output may have enough of it, as `head` does.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(EXIT.refused);
    if (!interruptByPipe()) process.exit(EXIT.fine);
  });
}

const program = createProgram();

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = sayFailure(error);
}

function sayFailure(error: unknown): number {
  // Said already; help and --version count as fine.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (isInterruption(error)) return EXIT.interrupted;
  const report = reportOf(error);
  const isJson = program.opts().json === true;
  const out = createOut({ isJson });
  if (isJson) process.stderr.write(`${JSON.stringify({ error: report.json })}\n`);
  else for (const [index, line] of report.lines.entries()) out.note(index === 0 ? out.notePaint.red(line) : line);
  return report.exitCode;
}
