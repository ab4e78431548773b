// Says what a command waits for when an answer takes long: on a terminal one line that is redrawn every second, with --verbose lines for
// a log, and nothing with --json or in a pipe.

import type { Out } from './view/out.ts';

/** A short wait says nothing. */
const QUIET_MS = 1_500;
const TICK_MS = 1_000;
const LOG_EVERY_S = 5;

/** What a request waits for, by its path; the first that fits. */
const WAITS: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\/escrow$/, 'the escrow contract'],
  [/\/escrow\/fund$/, 'the ledger to confirm the funding'],
  [/\/resolution\/release$|\/milestones\/[^/]+\/release$/, 'the escrow provider to release the money'],
  [/\/resolution\/refund$|\/milestones\/[^/]+\/refund$/, 'the escrow provider to refund the money'],
  [/\/disputes\/[^/]+\/resolve$/, 'the escrow provider to carry out the decision'],
  [/\/(topups|withdrawals)\b|\/payment-account\//, 'the payment provider'],
  [/\/(wallet|balance\/(sync|verify))/, 'the ledger'],
];

const waitOf = (path: string): string => WAITS.find(([pattern]) => pattern.test(path))?.[1] ?? 'the server';

type Wait = { readonly what: string; readonly since: number; isLogged: number };

export type Progress = {
  /** Call the result when the wait is over. */
  begin(what: string): () => void;
  /** A fetch that says what it waits for. */
  watch(send: typeof fetch): typeof fetch;
};

type How = { readonly out: Out; readonly isVerbose: boolean };

const SILENT: Progress = { begin: () => () => {}, watch: (send) => send };

export const createProgress = ({ out, isVerbose }: How): Progress => {
  const redraws = out.canRedraw;
  if (out.isJson || (!redraws && !isVerbose)) return SILENT;
  const waits = new Set<Wait>();
  let timer: NodeJS.Timeout | null = null;
  let isDrawn = false;

  const clear = (): void => {
    if (isDrawn) out.redraw('');
    isDrawn = false;
  };

  const tick = (): void => {
    const [oldest] = waits;
    if (!oldest) return;
    const elapsed = Date.now() - oldest.since;
    if (elapsed < QUIET_MS) return;
    const seconds = Math.floor(elapsed / 1_000);
    const text = `Waiting for ${oldest.what}: ${seconds} s`;
    if (redraws) {
      out.redraw(out.notePaint.dim(text));
      isDrawn = true;
    } else if (seconds >= oldest.isLogged + LOG_EVERY_S) {
      oldest.isLogged = seconds;
      out.note(text);
    }
  };

  const begin = (what: string) => {
    const wait: Wait = { what, since: Date.now(), isLogged: 0 };
    waits.add(wait);
    timer ??= setInterval(tick, TICK_MS).unref();
    return (): void => {
      waits.delete(wait);
      if (waits.size > 0) return;
      if (timer) clearInterval(timer);
      timer = null;
      clear();
    };
  };

  return {
    begin,
    watch: (send) => async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      const end = begin(waitOf(pathname));
      return send(input, init).finally(end);
    },
  };
};

/** The progress of the command that runs. */
let current: Progress = SILENT;

export const useProgress = (progress: Progress): void => {
  current = progress;
};

/** For a wait that is made of many requests. Call the result when it is over. */
export const waitingFor = (what: string): (() => void) => current.begin(what);
