// Arguments of the scripts, read by commander, and the lines that they print. A script with a bad argument prints one sentence and its
// usage, and exits with 2 before it has started anything: a proof that misread its arguments has proved nothing.

import { Command, InvalidArgumentError } from 'commander';

type Bounds = { readonly from: number; readonly to?: number };

const DECIMAL = /^\d+(\.\d+)?$/;
const WHOLE = /^\d+$/;

const describeBounds = ({ from, to }: Bounds): string =>
  to === undefined ? `of at least ${from}` : `from ${from} to ${to}`;

const numberParser =
  (kind: string, pattern: RegExp) =>
  (bounds: Bounds) =>
  (text: string): number => {
    const value = Number(text);
    const isWithin = value >= bounds.from && value <= (bounds.to ?? Number.MAX_SAFE_INTEGER);
    if (pattern.test(text) && isWithin) return value;
    throw new InvalidArgumentError(`It must be ${kind} ${describeBounds(bounds)}.`);
  };

export const whole = numberParser('a whole number', WHOLE);

/** Digits with at most one point: a minute and a half is 1.5. */
export const decimal = numberParser('a number', DECIMAL);

export const notEmpty = (text: string): string => {
  if (text !== '') return text;
  throw new InvalidArgumentError('It must not be empty.');
};

/** Exit code of a script whose arguments are wrong. */
const BAD_ARGUMENTS = 2;

/** The command of `npm run NAME`. */
export const scriptCommand = (name: string, description: string): Command =>
  new Command(`npm run ${name} --`)
    .description(description)
    .allowExcessArguments(false)
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : BAD_ARGUMENTS));

/** One result of a proof or a drill: the promise, whether it held, and the observed values. */
export type Finding = { readonly promise: string; readonly holds: boolean; readonly detail: string };

/** Prints to standard output, because the operator runs this program. The server writes a log instead. */
export const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

/** Returns false when a promise did not hold. */
export const printFindings = (findings: readonly Finding[]): boolean => {
  const width = Math.max(...findings.map(({ promise }) => promise.length));
  for (const { promise, holds, detail } of findings) {
    printLine(`  ${holds ? 'yes' : 'NO '}  ${promise.padEnd(width)}  ${detail}`);
  }
  return findings.every(({ holds }) => holds);
};
