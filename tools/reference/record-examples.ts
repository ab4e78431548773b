// Records the examples of the API reference: starts a server with the simulators, lives the story on it, and writes one file of examples for
// each group of routes. Run it with `npm run print:examples` after a change of the API; a long test compares the files with a new recording.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { endOfProcess } from '../test-database/at-the-end.ts';
import { type ExampleFiles, examplesOf } from './print-examples.ts';
import { createRecorder } from './recorder.ts';
import { live } from './story.ts';
import { refuseAll } from './story-refusals.ts';
import { MASTER_KEY, startStoryServer } from './story-server.ts';

const EXAMPLES = new URL('../../server/src/http/reference/examples/', import.meta.url);

export const recordExamples = async (): Promise<ExampleFiles> => {
  const server = await startStoryServer();
  try {
    const story = createRecorder({ url: server.url, masterKey: MASTER_KEY });
    const known = await live(story, server);
    await refuseAll(story, known);
    return examplesOf(story, {
      [server.receiverUrl]: 'https://shop.example',
      [server.sandboxUrl]: 'https://sandbox.example',
      [server.url]: 'https://money.example',
      [MASTER_KEY]: 'MASTER-KEY',
      '127.0.0.1': '203.0.113.7',
    });
  } finally {
    await server.close();
  }
};

const write = (files: ExampleFiles): void => {
  mkdirSync(EXAMPLES, { recursive: true });
  for (const file of readdirSync(EXAMPLES)) rmSync(new URL(file, EXAMPLES));
  for (const [name, examples] of files) {
    writeFileSync(new URL(`${name}.json`, EXAMPLES), `${JSON.stringify(examples, null, 2)}\n`);
  }
};

if (import.meta.main) {
  const files = await recordExamples();
  write(files);
  console.log(`server/src/http/reference/examples: ${files.size} files`);
  await endOfProcess();
  process.exit(0);
}
