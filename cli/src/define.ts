// How a command is put into the tree: with a sentence and an example, always.

import { type Command, InvalidArgumentError, Option } from 'commander';

export type Definition = {
  /** With its arguments: `credit <userId> <amount>`. */
  readonly name: string;
  readonly what: string;
  readonly examples: readonly string[];
};

export const define = (parent: Command, { name, what, examples }: Definition): Command =>
  parent
    .command(name)
    .description(what)
    .addHelpText(
      'after',
      `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((each) => `  $ ${each}`).join('\n')}`,
    );

export const choice = (flags: string, { what, of }: { what: string; of: readonly string[] }): Option =>
  new Option(flags, what).choices(of);

export const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
};

export const atLeastOne = (text: string): number => {
  const count = wholeNumber(text);
  if (count === 0) throw new InvalidArgumentError('It must be at least 1.');
  return count;
};

/** For options that may be given several times. */
export const gather = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

export const pageOptions = (command: Command): Command =>
  command.option('--limit <count>', 'page size', atLeastOne).option('--cursor <cursor>', 'go on after this page');
