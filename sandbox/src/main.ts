// Runs the sandbox alone, from the environment: `npm run sandbox`. The state stays in the data folder until it is reset.

import { readEnvironment } from './main-environment.ts';
import { startSandbox } from './sandbox.ts';

try {
  const sandbox = await startSandbox({ ...readEnvironment(process.env), log: (sentence) => console.error(sentence) });
  console.log(`The sandbox is ready at ${sandbox.url}`);
  for (const [name, url] of Object.entries(sandbox.urls)) console.log(`  ${name.padEnd(8)} ${url}`);

  const stop = async () => {
    await sandbox.close();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
