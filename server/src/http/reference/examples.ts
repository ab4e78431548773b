// The recorded examples of the reference, by route. `npm run print:examples` records them; they are read when a document is first asked for.

import { readdirSync, readFileSync } from 'node:fs';

/** The request and the answer of a route, as the story of the examples had them. */
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
  readonly refusals?: Readonly<Record<string, RefusalExample>>;
};

export type RefusalExample = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
};

type Examples = Readonly<Record<string, Example>>;

const FOLDER = new URL('./examples/', import.meta.url);
const SURFACE_B = 'surface-b.json';

const readFile = (file: string): Examples => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Examples;

let api: Examples | undefined;
let surfaceB: Examples | undefined;

/** The examples of the API, by `POST /orders/:id/reserve`. */
export const apiExamples = (): Examples => {
  api ??= Object.assign({}, ...readdirSync(FOLDER).map((file) => (file === SURFACE_B ? {} : readFile(file))));
  return api!;
};

/** The examples of Surface B. */
export const surfaceBExamples = (): Examples => {
  surfaceB ??= readFile(SURFACE_B);
  return surfaceB;
};
