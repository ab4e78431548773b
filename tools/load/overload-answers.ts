// Reads answers from a socket and checks them: an answer is wrong when its status is not allowed for the request, or when a
// refusal lacks the envelope, the code or the Retry-After header.

import type { AskName } from './overload-requests.ts';

export type Answer = {
  readonly status: number;
  readonly head: string;
  readonly text: string;
  /** Where it ends in what was received. */
  readonly end: number;
  /** The connection is over with it: the server closes it, or it is a stream, which has no end of its own. */
  readonly isLast: boolean;
};

/** Null while the answer is incomplete. The head of a stream is its answer. */
export const answerIn = (received: string): Answer | null => {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = received.slice(0, headEnd);
  const status = Number(head.slice(9, 12));
  if (/\r\ncontent-type: text\/event-stream/i.test(head)) {
    return { status, head, text: '', end: received.length, isLast: true };
  }
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const end = headEnd + 4 + length;
  if (received.length < end) return null;
  const isLast = /\r\nconnection: close/i.test(head);
  return { status, head, text: received.slice(headEnd + 4, end), end, isLast };
};

/** The allowed status besides 429 and 503, which are always allowed. */
const WANTED: Readonly<Record<AskName, number>> = {
  credit: 200,
  balance: 200,
  list: 200,
  login: 200,
  stream: 200,
  large: 413,
};

const CODES: Readonly<Record<number, string>> = { 429: 'RATE_LIMITED', 503: 'SERVICE_UNAVAILABLE' };

type Refusal = {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
  readonly code?: number;
  readonly ok?: boolean;
  readonly message?: string;
};

const parsed = (text: string): Refusal | null => {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return null;
  }
};

/** Null when the answer is correct. */
export const judgeAnswer = (name: AskName, { status, head, text }: Answer): string | null => {
  if (status === WANTED[name]) return null;
  const told = `${status} ${text.slice(0, 300)}`;
  const code = CODES[status];
  if (code === undefined) return `a status that is not allowed here: ${told}`;
  const after = Number(/\r\nretry-after: (\d+)/i.exec(head)?.[1]);
  if (!(after >= 1)) return `no Retry-After: ${told}`;
  const body = parsed(text);
  // Surface B has an envelope of its own.
  if (name === 'login')
    return body?.ok === false && body.code === status && body.message ? null : `no envelope: ${told}`;
  const { error } = body ?? {};
  if (error?.code !== code || !error.message) return `no envelope, or another code than ${code}: ${told}`;
  if (error.details?.retryAfter !== after) return `Retry-After and its detail differ: ${told}`;
  return typeof error.details.requestId === 'string' ? null : `no request id: ${told}`;
};
