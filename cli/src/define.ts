// Adds a command to the tree. Every command has a description and an example.

import { type Command, InvalidArgumentError, Option } from 'commander';

type Definition = {
  /** With its arguments: `credit <userId> <amount>`. */
  readonly name: string;
  readonly what: string;
  readonly examples: readonly string[];
  /** Whether the result contains ids, for `--ids`. */
  readonly ids?: true;
};

const withIds = new WeakSet<Command>();

export const givesIds = (command: Command): boolean => withIds.has(command);

export const define = (parent: Command, { name, what, examples, ids }: Definition): Command => {
  const command = parent.command(name);
  if (ids) withIds.add(command);
  return command
    .description(what)
    .addHelpText(
      'after',
      `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((each) => `  $ ${each}`).join('\n')}`,
    );
};

const KEY_OPTION = '--idempotency-key';

export type KeyOption = { readonly idempotencyKey?: string };

const uuid = (text: string): string => {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) throw new InvalidArgumentError('It must be a UUID.');
  return text;
};

/** For commands that write once: a repeated command with the same key has one effect. */
export const keyOption = (command: Command): Command =>
  command.option(
    `${KEY_OPTION} <uuid>`,
    'makes a retry safe: a repeated command with the same key has one effect',
    uuid,
  );

export const takesKey = (command: Command): boolean => command.options.some(({ long }) => long === KEY_OPTION);

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
  command.option('--limit <count>', 'page size', atLeastOne).option('--cursor <cursor>', 'cursor of the next page');
