// Prints a script that completes commands and options in a shell, generated from the tree of commands.

import { Argument, type Command } from 'commander';
import { bashScript, fishScript, type Spot, zshScript } from '../completion-scripts.ts';
import { define } from '../define.ts';
import { action } from '../run.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Every command with the words that may follow it. */
const spotsOf = (command: Command, way: readonly string[] = []): Spot[] => {
  const root = rootOf(command);
  const options = [...command.options, ...(command === root ? [] : root.options)];
  const own: Spot = {
    way,
    words: [
      ...command.commands.map((each) => ({ word: each.name(), what: each.description() })),
      ...command.registeredArguments.flatMap((each) => each.argChoices ?? []).map((word) => ({ word, what: '' })),
    ],
    options: [
      ...options.map((each) => ({ word: each.long ?? each.short ?? '', what: each.description })),
      { word: '--help', what: 'show help' },
    ],
    values: options.flatMap((each) => (each.argChoices ? [{ option: each.long!, words: each.argChoices }] : [])),
  };
  return [own, ...command.commands.flatMap((each) => spotsOf(each, [...way, each.name()]))];
};

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

export const addCompletionCommand = (program: Command): void => {
  define(program, {
    name: 'completion',
    what: 'print a script that completes commands in a shell',
    examples: [
      'source <(npx holdfast completion bash)',
      'source <(npx holdfast completion zsh)',
      'npx holdfast completion fish > ~/.config/fish/completions/holdfast.fish',
    ],
  })
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SCRIPTS)))
    .action(
      action(async ({ out, program: root }, [shell]) => {
        const script = SCRIPTS[shell as keyof typeof SCRIPTS](spotsOf(root));
        if (out.isJson) out.json({ shell, script });
        else out.line(script);
      }),
    );
};
