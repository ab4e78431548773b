// The table at the end of a drill: each promise, whether it held, and what was seen.

import type { Finding } from './stage.ts';

/** False when one of them did not hold. */
export const printFindings = (findings: readonly Finding[]): boolean => {
  const width = Math.max(...findings.map(({ promise }) => promise.length));
  for (const { promise, holds, detail } of findings) {
    console.log(`  ${holds ? 'yes' : 'NO '}  ${promise.padEnd(width)}  ${detail}`);
  }
  return findings.every(({ holds }) => holds);
};
