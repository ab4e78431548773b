// `events forward`: posts each event to a URL as a signed webhook, one after the other. An event that is not accepted is sent again
// and blocks the events behind it, so that the order stays. A file stores the checkpoint.

import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { type HoldfastEvent, signWebhook } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { expectServer, sayStates, typesOf } from '../event-choice.ts';
import { EXIT, type ExitCode, failure, wrongUsage } from '../failures.ts';
import { readJson, stateFolder, writePrivate } from '../profiles.ts';
import { action, endOf, type Run, untilInterrupted } from '../run.ts';
import { momentOf } from '../times.ts';
import { harmless } from '../view/paint.ts';

type ForwardOptions = {
  readonly to: string;
  readonly secret?: string;
  readonly since?: string;
  readonly types?: string;
  readonly checkpoint?: string;
  readonly tries: number;
  readonly count?: number;
};

const BACK_OFF = { firstMs: 250, mostMs: 30_000 };
const ANSWER_TIMEOUT_MS = 15_000;
/** Ctrl-C does not abort a delivery at once: an event that was accepted but not recorded would be sent again at the next start. */
const STOP_GRACE_MS = 2_000;

type Kept = { cursor: string | null; secret: string };

const targetOf = (to: string): URL => {
  const url = URL.parse(to);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw wrongUsage(`"${to}" is not a valid URL. Write it like http://127.0.0.1:3000/webhooks.`);
  }
  return url;
};

/** One file for each server, key, URL and choice of events, because their checkpoints are independent. */
const defaultFile = ({ settings, options }: Run<ForwardOptions>, to: URL): string => {
  const { url, key, marketplaceId } = settings;
  const chosen = [...new Set(typesOf(options.types))].toSorted();
  const name = createHash('sha256').update([url, key, marketplaceId, to.href, ...chosen].join('\n'));
  return join(stateFolder(process.env), `forward-${name.digest('hex').slice(0, 16)}.json`);
};

type Delivery = { readonly to: URL; readonly event: HoldfastEvent; readonly secret: string };

/** Aborts for the same reason, but only after the grace period. */
const afterGrace = (wish: AbortSignal, onWish: () => void) => {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    onWish();
    timer = setTimeout(() => late.abort(wish.reason), STOP_GRACE_MS);
  };
  wish.addEventListener('abort', begin, { once: true });
  const end = (): void => {
    wish.removeEventListener('abort', begin);
    clearTimeout(timer);
  };
  return { signal: late.signal, [Symbol.dispose]: end };
};

/** Null when the event was accepted, else the reason why not. */
const post = async ({ out, signal: wish }: Run<ForwardOptions>, delivery: Delivery): Promise<string | null> => {
  const { to, event, secret } = delivery;
  // Every attempt is signed again, because a receiver refuses an old time.
  const { body, headers } = await signWebhook(event, { secret });
  wish.throwIfAborted();
  using grace = afterGrace(wish, () =>
    out.note(`Waiting for the answer to ${event.eventId}. Press Ctrl-C again to stop at once.`),
  );
  try {
    const signal = AbortSignal.any([grace.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const answer = await fetch(to, { method: 'POST', body, headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
    if (answer.ok) return null;
    const elsewhere = answer.headers.get('location');
    if (elsewhere === null) return `answered ${answer.status}`;
    return `answered ${answer.status}, a redirect to ${harmless(elsewhere)}, which is not followed: use that URL as --to`;
  } catch (error) {
    wish.throwIfAborted();
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
};

/** Repeats until the event is accepted. Returns the number of attempts. */
const deliver = async (run: Run<ForwardOptions>, delivery: Delivery): Promise<number> => {
  const { out, options, signal } = run;
  const { event } = delivery;
  for (let attempt = 1; ; attempt++) {
    const problem = await post(run, delivery);
    if (problem === null) return attempt;
    out.note(out.notePaint.yellow(`failed     ${event.eventType}  ${event.eventId}  attempt ${attempt}: ${problem}`));
    if (attempt >= options.tries) {
      throw failure(
        `${event.eventId} was not accepted in ${attempt} attempts (${problem}). The next start begins with this event.`,
      );
    }
    await pause(Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** (attempt - 1)), undefined, { signal });
  }
};

const SQLITE_BUSY = 5;

/**
 * Null when another process holds the lock. The kernel holds it through an empty SQLite file next to the locked file, and it ends
 * with the process, so no stale lock is left.
 */
const lockFile = (file: string): { release(): void } | null => {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(`${file}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null;
    throw error;
  }
  return { release: () => lock.close() };
};

/** The stored state. A file without a checkpoint is an error, because starting without it would lose events. */
const readPlace = async (file: string): Promise<Record<string, unknown> | null> => {
  const kept = await readJson(file).catch((): Record<string, unknown> => ({}));
  if (kept === null || kept.cursor === null || typeof kept.cursor === 'string') return kept;
  throw failure(
    `${file} cannot be read, or contains no checkpoint. Repair it, choose another file with --checkpoint, or remove it and set the start with --since.`,
  );
};

const readKept = async (file: string, given: string | undefined): Promise<Kept & { isNewSecret: boolean }> => {
  const kept = await readPlace(file);
  const secret = given ?? (typeof kept?.secret === 'string' ? kept.secret : null);
  return {
    cursor: typeof kept?.cursor === 'string' ? kept.cursor : null,
    secret: secret ?? `whsec_${randomBytes(24).toString('base64')}`,
    isNewSecret: secret === null,
  };
};

const forward = async (run: Run<ForwardOptions>): Promise<ExitCode> => {
  const to = targetOf(run.options.to);
  const file = run.options.checkpoint ?? defaultFile(run, to);
  await expectServer(run);
  const lock = lockFile(file);
  if (lock === null) {
    throw failure(
      `Another \`events forward\` already uses ${file}. Stop it, or choose another file with --checkpoint.`,
    );
  }
  try {
    return await forwardFrom(run, { to, file });
  } finally {
    lock.release();
  }
};

const forwardFrom = async (run: Run<ForwardOptions>, { to, file }: { to: URL; file: string }): Promise<ExitCode> => {
  const { client, out, options, signal } = run;
  const since = options.since === undefined ? undefined : momentOf(options.since);
  const types = typesOf(options.types);
  const given = options.secret ?? (process.env.HOLDFAST_WEBHOOK_SECRET || undefined);
  const { isNewSecret, ...kept } = await readKept(file, given);
  const save = (cursor: string | null): Promise<void> =>
    // A secret from an option or variable is not stored.
    writePrivate(file, { cursor, ...(given ? {} : { secret: kept.secret }) });
  const start = kept.cursor ?? since?.toISOString() ?? null;
  // Stored before anything is sent: `1h` ago is another time at the next start, and the first event may never be accepted.
  if (isNewSecret || start !== kept.cursor) await save(start);
  if (isNewSecret) {
    out.note(`Verify the webhooks with this new secret, which is stored in ${file}:\n  ${kept.secret}`);
  }
  out.note(out.notePaint.dim(`Forwarding to ${to.href}, ${start ? `starting after ${start}` : 'starting now'}.`));
  const checkpoint = { load: () => start, save };
  let done = 0;
  for await (const event of client.events({ types, signal, checkpoint, onState: sayStates(out) })) {
    const attempts = await deliver(run, { to, event, secret: kept.secret });
    if (out.isJson) out.jsonLine({ delivered: true, eventId: event.eventId, eventType: event.eventType, attempts });
    else out.line(`${out.paint.green('delivered')}  ${event.eventType}  ${event.eventId}`);
    done += 1;
    if (done === options.count) {
      // The loop ends before the next event is requested, so this event is marked as done here.
      await save(event.occurredAt);
      return EXIT.fine;
    }
  }
  return endOf(options);
};

export const addEventForward = (events: Command): void => {
  define(events, {
    name: 'forward',
    what: 'post each event to a URL as a signed webhook, in order; a restart continues after the last event',
    examples: ['holdfast events forward --to http://127.0.0.1:3000/webhooks --types "order.*"'],
  })
    .requiredOption('--to <url>', 'where to')
    .option('--secret <whsec>', 'signing secret (HOLDFAST_WEBHOOK_SECRET); generated and stored when left out')
    .option('--since <time>', 'start of the first run: how long ago, such as 10m, or an ISO time')
    .option('--types <types>', 'only these event types, separated by commas; order.* means all order events')
    .option('--checkpoint <file>', 'file that stores the checkpoint')
    .option('--tries <count>', 'number of attempts for one event', atLeastOne, 12)
    .option('--count <count>', 'stop after this many events', atLeastOne)
    .action(action<ForwardOptions>((run) => untilInterrupted(() => forward(run), run.options)));
};
