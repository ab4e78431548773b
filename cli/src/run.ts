// What every command gets: the client of the chosen server, the output, and a signal that Ctrl-C aborts. A command returns its
// exit code, or nothing for 0.

import { type ClientOptions, Holdfast, HoldfastError, type List, type Page } from '@holdfast/sdk';
import type { Command } from 'commander';
import { givesIds, takesKey } from './define.ts';
import { EXIT, type ExitCode, markRepeatable, wrongUsage } from './failures.ts';
import { checkMarketplace } from './key-marketplace.ts';
import { createPreviewFetch, type DryRunOption, showPreview } from './preview.ts';
import { createProgress, type Progress, useProgress } from './progress.ts';
import { type GlobalOptions, readSettings, type Settings, withMasterKey } from './settings.ts';
import { createOut, type Out } from './view/out.ts';
import { harmless } from './view/paint.ts';
import type { Column } from './view/table.ts';

export type Run<Options> = {
  readonly client: Holdfast;
  readonly settings: Settings;
  readonly out: Out;
  readonly options: Options;
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly program: Command;
  /** The same client with the master key, if this machine has it. */
  asMaster(): Promise<Holdfast>;
};

export type Work<Options> = (
  run: Run<Options>,
  args: readonly string[],
) => Promise<ExitCode | undefined> | Promise<void>;

const RETRIES_MAX = 2;

type How = {
  readonly out: Out;
  readonly verbose: boolean;
  readonly progress: Progress;
  /** Only for a preview. */
  readonly fetch?: typeof fetch;
};

export const clientOf = (settings: Settings, how: How | null = null): Holdfast => {
  checkMarketplace(settings);
  try {
    return new Holdfast(clientOptions(settings, how));
  } catch (error) {
    // Sends no request yet: only the URL can be wrong.
    throw wrongUsage((error as Error).message);
  }
};

const clientOptions = (settings: Settings, how: How | null): ClientOptions => ({
  url: settings.url,
  // A preview ends the command, so a request that failed for it must not be sent again.
  maxRetries: how?.fetch ? 0 : RETRIES_MAX,
  ...(how ? { fetch: how.progress.watch(how.fetch ?? fetch) } : {}),
  ...(settings.key === null ? {} : { apiKey: settings.key }),
  ...(settings.marketplaceId === null ? {} : { marketplaceId: settings.marketplaceId }),
  ...(how?.verbose
    ? {
        onAttempt: ({ method, path, status, durationMs, requestId }) =>
          how.out.note(
            how.out.notePaint.dim(
              `${method} ${path} ${status ?? 'no answer'} in ${Math.round(durationMs)} ms ${requestId ?? ''}`,
            ),
          ),
      }
    : {}),
});

const saySettings = (out: Out, { url, key, marketplaceId, from }: Settings): void => {
  out.note(out.notePaint.dim(`url ${url} (${from.url}); key ${key === null ? 'none' : 'set'} (${from.key})`));
  if (marketplaceId !== null) out.note(out.notePaint.dim(`marketplace ${marketplaceId} (${from.marketplace})`));
};

/** The action of a command. Its exit code becomes the exit code of the process. */
export const action =
  <Options = Record<string, never>>(work: Work<Options>) =>
  async (...given: unknown[]): Promise<void> => {
    const command = given.at(-1) as Command;
    const options = command.optsWithGlobals<Options & GlobalOptions & DryRunOption>();
    // Checked before the command does anything.
    if (options.ids === true && !givesIds(command)) throw wrongUsage('The result of this command contains no ids.');
    const out = createOut({ isJson: options.json === true, onlyIds: options.ids === true });
    const settings = await readSettings(options, process.env);
    const verbose = options.verbose === true;
    if (verbose) saySettings(out, settings);
    const program = rootOf(command);
    const previews = options.dryRun === true ? createPreviewFetch() : null;
    const progress = createProgress({ out, isVerbose: verbose });
    useProgress(progress);
    const how: How = { out, verbose, progress, ...(previews ? { fetch: previews.fetch as typeof fetch } : {}) };
    let client: Holdfast | null = null;
    const working = work(
      {
        settings,
        out,
        options,
        program,
        // Only commands that use the signal handle Ctrl-C; it ends all other commands.
        get signal() {
          return interruption().signal;
        },
        // Created when it is first used: a command that uses only the master key may choose a marketplace with it.
        get client() {
          client ??= clientOf(settings, how);
          return client;
        },
        asMaster: async () => clientOf(await withMasterKey(settings, process.env), how),
      },
      command.processedArgs.flat().filter((each) => each !== undefined),
    );
    const code = await working.catch((error: unknown) => {
      const preview = previews?.found() ?? null;
      if (preview) return showPreview(out, preview);
      markRepeatable(error, takesKey(command));
      throw error;
    });
    process.exitCode = code ?? 0;
  };

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);

let interrupted: AbortController | null = null;

/** One per process. The second Ctrl-C exits at once. A Ctrl-C after a SIGTERM counts as the same request. */
const interruption = (): AbortController => {
  if (interrupted) return interrupted;
  const controller = new AbortController();
  interrupted = controller;
  let presses = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && ++presses > 1) process.exit(EXIT.interrupted);
      controller.abort(interruptedBy(signal));
    });
  }
  return controller;
};

/** The reader of our output has closed the pipe. */
export const interruptByPipe = (): void => interrupted?.abort(interruptedBy('a closed pipe'));

const interruptedBy = (signal: string): Error =>
  Object.assign(new Error(`interrupted by ${signal}`), { interrupted: true });

/** Also as the reason of an abort by other code. */
export const isInterruption = (error: unknown): boolean => {
  const { interrupted: isOne, cause } = (error ?? {}) as { interrupted?: boolean; cause?: unknown };
  return isOne === true || (cause !== undefined && isInterruption(cause));
};

/** For a command that was to deliver a fixed number of items: an interruption means that some are missing. */
export const endOf = ({ count }: { readonly count?: number }): ExitCode =>
  count === undefined ? EXIT.fine : EXIT.interrupted;

/** For a command that runs until it is interrupted: Ctrl-C is its normal end. */
export const untilInterrupted = async (
  work: () => Promise<ExitCode>,
  options: { readonly count?: number },
): Promise<ExitCode> => {
  try {
    return await work();
  } catch (error) {
    if (!isInterruption(error)) throw error;
    return endOf(options);
  }
};

export type PageOptions = { readonly limit?: number; readonly cursor?: string };

export const pageQuery = ({ limit, cursor }: PageOptions): { limit?: number; cursor?: string } => ({
  ...(limit === undefined ? {} : { limit }),
  ...(cursor === undefined ? {} : { cursor }),
});

/**
 * The result of a write, read back. When the write succeeded and only the read fails, the user sees that and the known
 * values: an error alone would invite a second write.
 */
export const readBack = async <Value>(
  { out }: Pick<Run<unknown>, 'out'>,
  { done, read, known }: { done: string; read: () => Promise<Value>; known: Value },
): Promise<Value> =>
  read().catch((error: unknown) => {
    if (!(error instanceof HoldfastError)) throw error;
    out.note(out.notePaint.yellow(`${done}, but it could not be read back: ${harmless(error.message)}`));
    return known;
  });

/** One page of a list, as a table or as JSON. */
export const showPage = async <Item>(
  { out }: Pick<Run<unknown>, 'out'>,
  { list, columns, none }: { list: List<Item>; columns: readonly Column<Item>[]; none: string },
): Promise<void> => {
  const page: Page<Item> = await list.page();
  if (out.isJson) return out.json(page);
  if (page.items.length === 0) out.note(none);
  else out.table(page.items, columns);
  for (const month of page.archives ?? [])
    out.note(out.notePaint.dim(`Older entries: holdfast archive show ${month} --table audit_entries`));
  if (page.hasMore) out.note(out.notePaint.dim(`More results: --cursor ${page.nextCursor}`));
};
