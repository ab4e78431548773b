// The options every measurement takes, and the ending every measurement has: what it opened is closed again, also when it
// fails or is interrupted.

import { parseArgs } from 'node:util';

export type Format = 'text' | 'markdown' | 'json';

export type Options = {
  /** How long each step of a round measures. */
  readonly seconds: number;
  readonly rounds: number;
  readonly format: Format;
  readonly profile: boolean;
  /** Also fills in the events and audit entries; only the growth measurement looks at it. */
  readonly records: boolean;
  readonly sizes: readonly number[];
};

const positive = (name: string, text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} takes a positive number, not "${text}".`);
  return number;
};

export const readOptions = (defaults: { seconds: number; rounds: number; sizes?: string }): Options => {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: String(defaults.seconds) },
      rounds: { type: 'string', default: String(defaults.rounds) },
      sizes: { type: 'string', default: defaults.sizes ?? '' },
      json: { type: 'boolean', default: false },
      markdown: { type: 'boolean', default: false },
      profile: { type: 'boolean', default: false },
      records: { type: 'boolean', default: false },
    },
  });
  const sizes = values.sizes === '' ? [] : values.sizes.split(',').map(Number);
  if (sizes.some((size, i) => !(size >= (sizes[i - 1] ?? 0)))) throw new Error('--sizes takes numbers that grow.');
  return {
    seconds: positive('seconds', values.seconds),
    rounds: Math.ceil(positive('rounds', values.rounds)),
    format: values.json ? 'json' : values.markdown ? 'markdown' : 'text',
    profile: values.profile,
    records: values.records,
    sizes,
  };
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
    // Interrupted, it fails because what it used was put away; that must be finished, and is no failure to speak of.
    await interrupted;
    throw error;
  } finally {
    await cleanUp.disposeAsync();
  }
};
