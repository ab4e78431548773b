// A worker process of the test runner: loads one test file after the other, as the runner names them. Loading the server takes
// longer than most files test, and all files of a worker share its server (tests/support/shared-app.ts). Each file is a suite
// of its own, so that its hooks concern no other file.

import path from 'node:path';
import { after, describe } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endOfProcess } from '../../tools/test-database/at-the-end.ts';
import type { FromWorker, ToWorker } from './messages.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const timeout = Number(process.env.TEST_FILE_TIMEOUT_MS);

const send = (message: FromWorker): void => void process.send!(message);

const cpuMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

function runFile(file: string): void {
  const before = process.cpuUsage();
  describe(file, { timeout }, async () => {
    // Node reports the suite after its hooks, so the message to the runner is sent one turn later.
    after(() => void setImmediate(() => send({ kind: 'file-done', cpuMs: cpuMsSince(before) })));
    await import(pathToFileURL(path.join(ROOT, file)).href);
  });
}

async function end(): Promise<void> {
  await endOfProcess();
  process.disconnect!();
}

process.on('message', (message: ToWorker) => {
  if (message.kind === 'run') runFile(message.file);
  else void end();
});
send({ kind: 'ready' });
