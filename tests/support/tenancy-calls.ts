// Lists the functions with SQL that were never called during a recording, by the engine's own count. The tenancy tests can
// only judge statements that were sent.

import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const DECLARED = '^(?:export )?(?:async )?(?:const|let|function|type) ';
/** With everything up to the next one. */
const TOP_LEVEL = new RegExp(`${DECLARED}(\\w+)[\\s\\S]*?(?=${DECLARED}|$(?![\\s\\S]))`, 'gm');
const TALKS = /\.query[(<]|(?:read|find)Across[(<]/;
const IS_FUNCTION = /^(?:export )?(?:async )?(?:function \w+|const \w+ = (?:async )?[<(])/;

export const watchCalls = async (isWatched: (url: string) => boolean) => {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

  /** The engine reports a function of a file that was loaded before the recording only after its first call. */
  const silentIn = (url: string, called: ReadonlySet<string>): string[] =>
    [...readFileSync(fileURLToPath(url), 'utf8').matchAll(TOP_LEVEL)]
      .filter(([text, name]) => IS_FUNCTION.test(text) && TALKS.test(text) && !called.has(name!))
      .map(([, name]) => name!);

  return {
    /** By file and name. */
    async uncalled(): Promise<string[]> {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      const found = result
        .filter(({ url }) => isWatched(url))
        .flatMap(({ url, functions }) => {
          const named = functions.filter(({ functionName }) => functionName !== '');
          const called = named.filter(({ ranges }) => ranges[0]!.count > 0).map(({ functionName }) => functionName);
          const idle = named.filter(({ ranges }) => ranges[0]!.count === 0).map(({ functionName }) => functionName);
          const names = [...idle, ...silentIn(url, new Set(called))];
          return names.map((name) => `${path.basename(fileURLToPath(url))} ${name}`);
        });
      return [...new Set(found)].sort();
    },
    async end(): Promise<void> {
      await session.post('Profiler.stopPreciseCoverage');
      session.disconnect();
    },
  };
};
