// Reads the command lines that a page of the documentation shows, and parses them with the real tree of commands. Nothing is
// carried out: the actions are left out.

import type { Command } from 'commander';
import { givesIds } from '../../cli/src/define.ts';
import { createProgram } from '../../cli/src/program.ts';

/** The text of the code blocks in this language. */
export const blocksOf = (page: string, language: string): string[] =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, given]) => given === language)
    .map(([, , text]) => text!);

/** Each use of the tool in a block: the words after its name, without comments, redirections and shell variables' names. */
export const commandLines = (block: string): string[][] =>
  block
    .replaceAll('\\\n', ' ')
    .split('\n')
    .flatMap((line) => {
      const [, assigned, words] =
        /^(?:\$ )?(\w+=\$\()?(?:npx )?holdfast\b(.*)$/.exec(line.replace(/\s+#.*$/, '')) ?? [];
      if (words === undefined) return [];
      const text = words.replace(/ > \S+$/, '').replace(assigned ? /\)$/ : /$/, '');
      return [[...text.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word)];
    });

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

const checkIds = (...given: unknown[]): void => {
  const command = given.at(-1) as Command;
  if (command.optsWithGlobals().ids && !givesIds(command)) throw new Error(`${command.name()} has no --ids`);
};

/** Rejects when a command, an argument or an option does not exist or may not have this value. */
export const parseOnly = async (words: readonly string[]): Promise<void> => {
  const program = createProgram({ sayUsage() {} });
  for (const command of everyCommand(program)) if (command.commands.length === 0) command.action(checkIds);
  await program.parseAsync([...words], { from: 'user' });
};
