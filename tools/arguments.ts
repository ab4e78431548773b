// What follows the name of a script: options with a kind each, read before anything begins. A proof that misread its orders
// has proved nothing, so whatever is wrong is said in one sentence with the usage, and ends with 2.

import { parseArgs } from 'node:util';

export type Option<Value> = {
  readonly isFlag: boolean;
  /** When it is left out; undefined for one that must not be. */
  readonly otherwise: Value | undefined;
  /** What it must be, in words. */
  readonly wants: string;
  /** Undefined when it is not that. */
  read(text: string): Value | undefined;
};

type Bounds = { readonly from: number; readonly to?: number };

const within = ({ from, to = Number.MAX_SAFE_INTEGER }: Bounds, value: number): boolean => value >= from && value <= to;

const span = ({ from, to }: Bounds): string => (to === undefined ? `of at least ${from}` : `from ${from} to ${to}`);

export const whole = <Otherwise extends number | null>(bounds: Bounds, otherwise: Otherwise) =>
  option<number | Otherwise>({
    ...{ otherwise, wants: `a whole number ${span(bounds)}` },
    read: (text) => (/^\d+$/.test(text) && within(bounds, Number(text)) ? Number(text) : undefined),
  });

/** Written out, with a point at most: a minute and a half is 1.5. */
export const decimal = <Otherwise extends number | null>(bounds: Bounds, otherwise: Otherwise) =>
  option<number | Otherwise>({
    ...{ otherwise, wants: `a number ${span(bounds)}` },
    read: (text) => (/^\d+(\.\d+)?$/.test(text) && within(bounds, Number(text)) ? Number(text) : undefined),
  });

export const oneOf = <Word extends string>(words: readonly Word[]) =>
  option<Word | null>({
    ...{ otherwise: null, wants: words.join(' or ') },
    read: (text) => words.find((word) => word === text),
  });

export const text = () =>
  option<string | null>({ otherwise: null, wants: 'not empty', read: (given) => given || undefined });

export const neededText = () =>
  option<string>({ otherwise: undefined, wants: 'not empty', read: (given) => given || undefined });

export const flag = (): Option<boolean> => ({ isFlag: true, otherwise: false, wants: '', read: () => true });

function option<Value>(of: Omit<Option<Value>, 'isFlag'>): Option<Value> {
  return { isFlag: false, ...of };
}

type Options = Readonly<Record<string, Option<unknown>>>;

type Shape<Wanted extends Options> = {
  readonly usage: string;
  readonly options: Wanted;
  /** Words without dashes that may be given; none when left out. */
  readonly names?: readonly string[];
};

export type Values<Wanted extends Options> = {
  readonly [Name in keyof Wanted]: Wanted[Name] extends Option<infer Value> ? Value : never;
};

export type Given<Wanted extends Options> =
  | { readonly kind: 'orders'; readonly values: Values<Wanted>; readonly names: readonly string[] }
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly sentence: string };

const wrong = (sentence: string) => ({ kind: 'wrong', sentence }) as const;

/** The first sentence: the rest is advice to programmers. */
const firstSentence = (error: unknown): string =>
  `${(error as Error).message.split(/\.\s|\n/)[0]!.replace(/\.$/, '')}.`;

const split = (args: readonly string[], { options, names }: Shape<Options>) =>
  parseArgs({
    ...{ args: [...args], allowPositionals: names !== undefined },
    options: {
      help: { type: 'boolean', short: 'h' },
      ...Object.fromEntries(
        Object.entries(options).map(([name, { isFlag }]) => [name, { type: isFlag ? 'boolean' : 'string' }] as const),
      ),
    },
  });

export const readArguments = <Wanted extends Options>(args: readonly string[], shape: Shape<Wanted>): Given<Wanted> => {
  let given: ReturnType<typeof split>;
  try {
    given = split(args, shape);
  } catch (error) {
    return wrong(firstSentence(error));
  }
  if (given.values.help) return { kind: 'help' };
  const stranger = given.positionals.find((name) => !shape.names?.includes(name));
  if (stranger !== undefined) return wrong(`There is no ${JSON.stringify(stranger)} here.`);
  const values: Record<string, unknown> = {};
  for (const [name, { otherwise, wants, read }] of Object.entries(shape.options)) {
    const said = (given.values as Record<string, string | boolean | undefined>)[name];
    values[name] = said === undefined ? otherwise : read(String(said));
    if (values[name] === undefined && said === undefined) return wrong(`--${name} is missing.`);
    if (values[name] === undefined) return wrong(`--${name} must be ${wants}, and is ${JSON.stringify(said)}.`);
  }
  return { kind: 'orders', values: values as Values<Wanted>, names: given.positionals };
};

/** Of this process. Comes back only with orders that can be followed. */
export const ordersOf = <Wanted extends Options>(shape: Shape<Wanted>) => {
  const given = readArguments(process.argv.slice(2), shape);
  if (given.kind === 'orders') return given;
  if (given.kind === 'help') process.stdout.write(`${shape.usage}\n`);
  else process.stderr.write(`${given.sentence}\n\n${shape.usage}\n`);
  return process.exit(given.kind === 'help' ? 0 : 2);
};
