// `events forward`: posts each event to an address as a signed webhook, one after the other. An event that is not taken is
// sent again and holds up those behind it, so that the order stays; where it got to is kept in a file.

import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type HoldfastEvent, signWebhook } from '@holdfast/sdk';
import type { Command } from 'commander';
import { atLeastOne, define } from '../define.ts';
import { expectServer, sayStates, typesOf } from '../event-choice.ts';
import { EXIT, type ExitCode, failure, wrongUsage } from '../failures.ts';
import { lockFile } from '../file-lock.ts';
import { readJson, stateFolder, writePrivate } from '../profiles.ts';
import { action, endOf, type Run, untilInterrupted } from '../run.ts';
import { momentOf } from '../spans.ts';
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
/** Ctrl-C cuts no delivery off at once: one that was taken and not written down would come again at the next start. */
const STOP_GRACE_MS = 2_000;

type Kept = { cursor: string | null; secret: string };

const targetOf = (to: string): URL => {
  const url = URL.parse(to);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw wrongUsage(`"${to}" is no address. Write it like http://127.0.0.1:3000/webhooks.`);
  }
  return url;
};

/** One file for each server, key, address and choice of events: how far one got says nothing about another. */
const defaultFile = ({ settings, options }: Run<ForwardOptions>, to: URL): string => {
  const { url, key, marketplaceId } = settings;
  const chosen = [...new Set(typesOf(options.types))].toSorted();
  const name = createHash('sha256').update([url, key, marketplaceId, to.href, ...chosen].join('\n'));
  return join(stateFolder(process.env), `forward-${name.digest('hex').slice(0, 16)}.json`);
};

type Delivery = { readonly to: URL; readonly event: HoldfastEvent; readonly secret: string };

/** Aborts for the same reason, but only after the grace. */
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

/** Null when it was taken, else why not. */
const post = async ({ out, signal: wish }: Run<ForwardOptions>, delivery: Delivery): Promise<string | null> => {
  const { to, event, secret } = delivery;
  // Signed anew for each attempt: a receiver refuses an old time.
  const { body, headers } = await signWebhook(event, { secret });
  wish.throwIfAborted();
  using grace = afterGrace(wish, () =>
    out.note(`Waiting for the answer to ${event.eventId}. Ctrl-C again ends at once.`),
  );
  try {
    const signal = AbortSignal.any([grace.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const answer = await fetch(to, { method: 'POST', body, headers, signal, redirect: 'manual' });
    await answer.body?.cancel();
    if (answer.ok) return null;
    const elsewhere = answer.headers.get('location');
    if (elsewhere === null) return `answered ${answer.status}`;
    return `answered ${answer.status}, a redirect to ${harmless(elsewhere)}, which is not followed: give that as --to`;
  } catch (error) {
    wish.throwIfAborted();
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
};

/** Until it is taken. Gives back how many attempts that took. */
const deliver = async (run: Run<ForwardOptions>, delivery: Delivery): Promise<number> => {
  const { out, options, signal } = run;
  const { event } = delivery;
  for (let attempt = 1; ; attempt++) {
    const problem = await post(run, delivery);
    if (problem === null) return attempt;
    out.note(out.notePaint.yellow(`failed     ${event.eventType}  ${event.eventId}  attempt ${attempt}: ${problem}`));
    if (attempt >= options.tries) {
      throw failure(
        `${event.eventId} was not taken in ${attempt} attempts (${problem}). It is the first one the next time this is started.`,
      );
    }
    await pause(Math.min(BACK_OFF.mostMs, BACK_OFF.firstMs * 2 ** (attempt - 1)), undefined, { signal });
  }
};

/** What is kept; a file that is there but holds no place would lose every event since. */
const readPlace = async (file: string): Promise<Record<string, unknown> | null> => {
  const kept = await readJson(file).catch((): Record<string, unknown> => ({}));
  if (kept === null || kept.cursor === null || typeof kept.cursor === 'string') return kept;
  throw failure(
    `${file} cannot be read, or does not say how far it got. Mend it, name another with --checkpoint, or remove it and say with --since where to begin.`,
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
    throw failure(`Another \`events forward\` works with ${file}. End it, or give this one a --checkpoint of its own.`);
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
    // A secret that was given stays with who gave it.
    writePrivate(file, { cursor, ...(given ? {} : { secret: kept.secret }) });
  const start = kept.cursor ?? since?.toISOString() ?? null;
  // Kept before anything is sent: `1h ago` is another time at the next start, and the first event may never be taken.
  if (isNewSecret || start !== kept.cursor) await save(start);
  if (isNewSecret) {
    out.note(`Verify the webhooks with this secret, made just now and kept in ${file}:\n  ${kept.secret}`);
  }
  out.note(out.notePaint.dim(`Forwarding to ${to.href}, ${start ? `on from ${start}` : 'from now on'}.`));
  const checkpoint = { load: () => start, save };
  let done = 0;
  for await (const event of client.events({ types, signal, checkpoint, onState: sayStates(out) })) {
    const attempts = await deliver(run, { to, event, secret: kept.secret });
    if (out.isJson) out.jsonLine({ delivered: true, eventId: event.eventId, eventType: event.eventType, attempts });
    else out.line(`${out.paint.green('delivered')}  ${event.eventType}  ${event.eventId}`);
    done += 1;
    if (done === options.count) {
      // The loop is left before the next event is asked for, so it is said here that this one is done.
      await save(event.occurredAt);
      return EXIT.fine;
    }
  }
  return endOf(options);
};

export const addEventForward = (events: Command): void => {
  define(events, {
    name: 'forward',
    what: 'post each event to an address as a signed webhook, in order; a restart goes on where it was',
    examples: ['holdfast events forward --to http://127.0.0.1:3000/webhooks --types "order.*"'],
  })
    .requiredOption('--to <url>', 'where to')
    .option('--secret <whsec>', 'signs them (HOLDFAST_WEBHOOK_SECRET); one is made and kept when left out')
    .option('--since <time>', 'begin there the first time: how long ago, such as 10m, or an ISO time')
    .option('--types <types>', 'only these, separated by commas; order.* is all of orders')
    .option('--checkpoint <file>', 'where it is kept how far it got')
    .option('--tries <count>', 'give up after so many attempts for one event', atLeastOne, 12)
    .option('--count <count>', 'end after so many', atLeastOne)
    .action(action<ForwardOptions>((run) => untilInterrupted(() => forward(run), run.options)));
};
