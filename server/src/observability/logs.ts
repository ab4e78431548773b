// The log: one JSON object per line on standard output. No credential, e-mail address, body or query string may ever get
// into it, so requests and errors are written by an allow-list of fields, and all other objects are searched for names of secrets.

import { setTimeout as pause } from 'node:timers/promises';
import { type DestinationStream, type Logger, pino } from 'pino';
import { isoNow } from '../base/instant.ts';

export type Log = Logger;

// The fields of an answered request. A field that is not listed here is never written.
export type AnsweredRequest = {
  method: string;
  route: string;
  requestId: string;
  status: number;
  durationMs: number;
  apiKeyId: string | null;
  marketplaceId: string | null;
  traceId: string | null;
};

const SECRET_NAMES = new Set([
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xapikey',
  'xescrowsignature',
  'apikey',
  'masterkey',
  'key',
  'kek',
  'walletkek',
  'privatekey',
  'seed',
  'password',
  'passwordhash',
  'secret',
  'secrets',
  'jwtsecret',
  'jwtsecrets',
  'clientsecret',
  'webhooksecret',
  'token',
  'accesstoken',
  'metricstoken',
  'email',
  'databaseurl',
  'redisurl',
]);
// These write a fixed list of fields, so their objects need no search.
const WRITERS = { req: writeIncoming, res: writeOutgoing, request: writeAnswered, err: writeError, error: writeError };
const HIDDEN = '[hidden]';
const DEPTH_MAX = 8;
const FLUSH_EVERY_MS = 1_000;
/** About two hundred lines. With 4 KB the writes took 3.4 % of the process under a load of credits, with 16 KB on a busy machine 4 %. */
const WRITE_BYTES = 64_000;
/** The library refuses 16 KiB. It gets its lines in larger parts than this, and writes each at once. */
const LIBRARY_BYTES = 16_000;
const LAST_WORDS_MS = 1_000;

export function createLog(options: { level: string; destination?: DestinationStream }): Log {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: () => `,"time":"${isoNow()}"`,
      formatters: { level: (label) => ({ level: label }), log: (line) => hideMembers(line, 0) },
      // pino does not call the formatter for the bindings of a child logger, but it redacts these paths. Paths with wildcards would reach deeper but
      // cost every line 5 µs more than the search does (pino 10.4, 17 names, two levels).
      redact: { paths: [...SECRET_NAMES, 'apiKey', 'api_key', 'masterKey', 'accessToken'], censor: HIDDEN },
      hooks: { streamWrite: scrub },
      serializers: WRITERS,
    },
    options.destination ?? toStandardOutput(),
  );
}

type StandardOutput = DestinationStream & {
  flush(done?: (error?: Error | null) => void): void;
  /** pino calls it after a fatal line. */
  flushSync(): void;
};

let standardOutput: StandardOutput | null = null;

// Lines are written in batches: a system call per line would cost more than the line. Waiting lines are written at least every second,
// and at the end. All servers of a process share one writer.
function toStandardOutput(): DestinationStream {
  if (standardOutput) return standardOutput;
  const destination = gatherLines(pino.destination({ dest: 1, sync: false, minLength: LIBRARY_BYTES }));
  setInterval(() => destination.flush(), FLUSH_EVERY_MS).unref();
  process.once('exit', () => destination.flushSync());
  standardOutput = destination;
  return destination;
}

// The library copies all waiting lines at each line, to measure them. So it gets them as one text.
function gatherLines(to: ReturnType<typeof pino.destination>): StandardOutput {
  let lines: string[] = [];
  let length = 0;
  const pass = (): void => {
    if (lines.length === 0) return;
    const text = lines.join('');
    lines = [];
    length = 0;
    to.write(text);
  };
  return {
    write(line) {
      lines.push(line);
      length += line.length;
      if (length >= WRITE_BYTES) pass();
    },
    flush(done) {
      pass();
      to.flush(done);
    },
    flushSync() {
      pass();
      to.flushSync();
    },
  };
}

/**
 * Writes the waiting lines. When the reader of the log is gone or does not read, the lines are dropped, because a write at the end of
 * the process would be tried forever.
 */
export async function writeLastWords(): Promise<void> {
  const destination = standardOutput;
  if (!destination) return;
  const enough = new AbortController();
  // A flush that finds a write under way ends with that write. Only the second one is sure to cover the lines that came after it.
  const written = flushed(destination).then((isWritten) => isWritten && flushed(destination));
  const tooLate = pause(LAST_WORDS_MS, false, { signal: enough.signal }).catch(() => false);
  const isWritten = await Promise.race([written, tooLate]);
  enough.abort();
  if (!isWritten) destination.flushSync = () => {};
}

// After the write the library calls fsync, which a pipe refuses; the lines are written then.
function flushed(destination: StandardOutput): Promise<boolean> {
  const isWritten = (error?: NodeJS.ErrnoException | null) => !error || error.syscall === 'fsync';
  return new Promise((resolve) => destination.flush((error) => resolve(isWritten(error))));
}

function hideMembers(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  let copy: Record<string, unknown> | null = null;
  for (const name in object) {
    if (depth === 0 && Object.hasOwn(WRITERS, name)) continue;
    const value = object[name];
    const shown = isSecretName(name) && value !== null && value !== undefined ? HIDDEN : hide(value, depth + 1);
    if (shown !== value) {
      copy ??= { ...object };
      copy[name] = shown;
    }
  }
  return copy ?? object;
}

// Only plain data is searched: requests, replies and errors have their own serialisers above.
function hide(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_MAX) return '[too deep]';
  if (Array.isArray(value)) return value.map((item) => hide(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? hideMembers(value as Record<string, unknown>, depth)
    : value;
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.has(name) || SECRET_NAMES.has(name.replaceAll(/[-_]/g, '').toLowerCase());
}

function writeAnswered(request: AnsweredRequest): AnsweredRequest {
  const { method, route, requestId, status, durationMs, apiKeyId, marketplaceId, traceId } = request;
  return { method, route, requestId, status, durationMs, apiKeyId, marketplaceId, traceId };
}

function writeIncoming(request: { method?: string; id?: unknown; routeOptions?: { url?: string } }) {
  return { method: request.method, route: request.routeOptions?.url ?? 'unmatched', requestId: request.id };
}

function writeOutgoing(reply: { statusCode?: number }) {
  return { status: reply.statusCode };
}

// A database error contains values of the row in `detail` and `where`, so only these fields are written.
function writeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint, table, column } = error as Error &
    Record<'code' | 'constraint' | 'table' | 'column', unknown>;
  const cause = error.cause === undefined ? undefined : writeError(error.cause);
  const text = { type: error.name, message: error.message, stack: error.stack };
  return { ...text, code, constraint, table, column, cause };
}

// The last check of a finished line, because messages are free text and may contain the message of an error. The JSON must stay valid,
// so no pattern may match a quote or a backslash.
function scrub(line: string): string {
  if (!line.includes('@') && !line.includes('earer ')) return line;
  return line
    .replaceAll(/(\w:\/\/)[^/\s@"\\]{1,300}@/g, `$1${HIDDEN}@`)
    .replaceAll(/\b(bearer) [\w.~+/=-]{8,}/gi, `$1 ${HIDDEN}`)
    .replaceAll(/[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,190}/g, HIDDEN);
}
