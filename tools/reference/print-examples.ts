// Turns what the story recorded into the files of examples: one for each group of routes, with stable values, and long lists cut.

import { type Any, type Recorded, type Recorder, tagOf } from './recorder.ts';
import { createStable, type Seen, type Stable } from './stable.ts';

/** The request and the answer of a route, as the reference shows them. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly status: number;
  readonly contentType: string;
  readonly answer: unknown;
  /** The answer was longer. */
  readonly shortened?: true;
  /** Refusals of the route, by their code. */
  readonly refusals?: Readonly<Record<string, unknown>>;
};

export type ExampleFiles = ReadonlyMap<string, Readonly<Record<string, Example>>>;

/** Figures that differ from one run to the next. */
const MEASURED: Readonly<Record<string, unknown>> = {
  latencyMs: 4,
  durationMs: 38,
  averageDurationMs: 38,
  p50Ms: 31,
  p95Ms: 64,
  uptimeSeconds: 86_400,
  uptime: 86_400,
};

/** Items of an array that are shown, and lines of a file. */
const CUT: Readonly<Record<string, number>> = {
  'GET /orders/:id/timeline': 4,
  'GET /exports/journal': 5,
  'GET /jobs': 3,
  'GET /sandbox/state': 2,
  'GET /sandbox/faults': 4,
};

/** The first lines of a file and its last one, which is a summary where there is one. */
const cutFile = (text: string, most: number): string => {
  const lines = text.trimEnd().split('\n');
  return `${[...lines.slice(0, most), lines.at(-1)].join('\n')}\n`;
};

const cutLists = (answer: unknown, most: number): unknown => {
  if (Array.isArray(answer)) return answer.slice(0, most).map((item) => cutLists(item, most));
  if (answer === null || typeof answer !== 'object') return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, cutLists(value, most)]));
};

/** A file inside a body has ids and times of its own. */
const isFile = (name: string, value: unknown): value is string =>
  name === 'content' && typeof value === 'string' && value.length > 0;

const printed = (value: unknown, { stable, step }: { stable: Stable; step: number }): unknown => {
  if (typeof value === 'string') return stable(value, step);
  if (Array.isArray(value)) return value.map((item) => printed(item, { stable, step }));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (name in MEASURED && typeof inner === 'number') return [name, MEASURED[name]];
      if (isFile(name, inner)) {
        const text = stable(Buffer.from(inner, 'base64').toString(), step);
        return [name, Buffer.from(text).toString('base64')];
      }
      return [stable(name, step), printed(inner, { stable, step })];
    }),
  );
};

const seenIn = (recorded: readonly Recorded[]): Seen[] =>
  recorded.map(({ asked, answer, step }) => ({ text: JSON.stringify([asked, answer]), step }));

const shorten = ({ route, answer }: Recorded): unknown => {
  const most = CUT[route];
  if (most === undefined) return answer;
  return typeof answer === 'string' ? cutFile(answer, most) : cutLists(answer, most);
};

const exampleOf = (recorded: Recorded, stable: Stable): Example => {
  const { route, asked, status, contentType, step } = recorded;
  const put = { stable, step };
  return {
    ...(printed(asked, put) as object),
    status,
    contentType,
    answer: printed(shorten(recorded), put),
    ...(route in CUT ? { shortened: true as const } : {}),
  };
};

/** `Provider statements` is in `provider-statements.json`; Surface B has one file, and so have the answers that routes share. */
export const fileOf = (route: string): string => {
  if (route.startsWith('* ')) return 'shared-answers';
  return route.startsWith('B ') ? 'surface-b' : tagOf(route).toLowerCase().replaceAll(' ', '-');
};

export const examplesOf = (
  { shown, refusals, steps }: Pick<Recorder, 'shown' | 'refusals' | 'steps'>,
  addresses: Readonly<Record<string, string>>,
): ExampleFiles => {
  const inOrder = [...shown, ...refusals].sort((a, b) => a.step - b.step);
  const stable = createStable({ steps, seen: seenIn(inOrder), addresses });
  const files = new Map<string, Record<string, Example>>();
  const byRoute = new Map<string, Example>();
  for (const recorded of inOrder) {
    const code = (recorded as Any).code as string | undefined;
    const example = exampleOf(recorded, stable);
    if (code === undefined) byRoute.set(recorded.route, { ...byRoute.get(recorded.route), ...example });
    else {
      const known = byRoute.get(recorded.route)!;
      byRoute.set(recorded.route, { ...known, refusals: { ...known.refusals, [code]: example.answer } });
    }
  }
  for (const route of [...byRoute.keys()].sort()) {
    const file = fileOf(route);
    files.set(file, { ...files.get(file), [route.replace(/^B /, '')]: byRoute.get(route)! });
  }
  return files;
};
