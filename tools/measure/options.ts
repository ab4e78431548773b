// The options of every measurement, and its end: what it opened is closed again, also when it fails or is interrupted.

import { InvalidArgumentError } from 'commander';
import { decimal, scriptCommand, whole } from '../../server/src/programs/script-command.ts';

export type Format = 'text' | 'markdown' | 'json';

export type Options = {
  /** How long each step of a round measures. */
  readonly seconds: number;
  readonly rounds: number;
  readonly format: Format;
  readonly profile: boolean;
  /** Also fills in the events and audit entries; only the growth measurement reads it. */
  readonly records: boolean;
  readonly sizes: readonly number[];
};

type Defaults = {
  /** The command of `npm run NAME`, and what it measures. */
  readonly name: string;
  readonly about: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Left out by a measurement that has no sizes. */
  readonly sizes?: readonly number[];
};

/** `1,2,4`: whole numbers that grow. */
const growingNumbers = (text: string): number[] => {
  const sizes = text.split(',').map(whole({ from: 0 }));
  if (sizes.every((size, i) => size >= (sizes[i - 1] ?? 0))) return sizes;
  throw new InvalidArgumentError('The numbers must grow.');
};

type Values = Omit<Options, 'format' | 'sizes'> & { sizes?: readonly number[]; json: boolean; markdown: boolean };

export const readOptions = ({ name, about, seconds, rounds, sizes }: Defaults): Options => {
  const command = scriptCommand(name, about)
    .option('--seconds <number>', 'duration of each step of a round', decimal({ from: 0.1 }), seconds)
    .option('--rounds <number>', 'number of rounds', whole({ from: 1 }), rounds)
    .option('--markdown', 'print the report as Markdown', false)
    .option('--json', 'print the report as JSON', false)
    .option('--profile', 'print where the time goes, where the measurement can', false)
    .option('--records', 'also fill in events and audit entries (growth)', false);
  if (sizes) command.option('--sizes <numbers>', 'sizes to measure, with commas', growingNumbers, [...sizes]);
  const { json, markdown, ...values } = command.parse().opts<Values>();
  return { ...values, sizes: values.sizes ?? [], format: json ? 'json' : markdown ? 'markdown' : 'text' };
};

/** To standard error, so that standard output holds nothing but the report. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Waits for something that has to be stopped afterwards, also when the end comes while it is still starting. */
export const opening = <T extends { stop(): Promise<void> }>(
  cleanUp: AsyncDisposableStack,
  starting: Promise<T>,
): Promise<T> => {
  cleanUp.defer(async () => {
    const started = await starting.catch(() => null);
    await started?.stop();
  });
  return starting;
};

export const runBench = async (bench: (cleanUp: AsyncDisposableStack) => Promise<void>): Promise<void> => {
  const cleanUp = new AsyncDisposableStack();
  let interrupted: Promise<never> | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      interrupted ??= cleanUp.disposeAsync().then(
        () => process.exit(130),
        () => process.exit(1),
      );
    });
  }
  try {
    await bench(cleanUp);
  } catch (error) {
    // An interrupted measurement fails because its parts are closed. The closing must finish, and it is not a failure.
    await interrupted;
    throw error;
  } finally {
    await cleanUp.disposeAsync();
  }
};
