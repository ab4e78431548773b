// What a proof or a drill found: each promise, whether it held, and what was seen.

export type Finding = { readonly promise: string; readonly holds: boolean; readonly detail: string };

/** To standard output: this is a program of the operator, not the server. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** False when one of them did not hold. */
export const printFindings = (findings: readonly Finding[]): boolean => {
  const width = Math.max(...findings.map(({ promise }) => promise.length));
  for (const { promise, holds, detail } of findings) {
    printLine(`  ${holds ? 'yes' : 'NO '}  ${promise.padEnd(width)}  ${detail}`);
  }
  return findings.every(({ holds }) => holds);
};
