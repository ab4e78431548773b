// The routes beside the console's page: sign in and out, the own session, invitations and passkeys. The cookie of the session is the
// browser's; no script can read it.

import { HoldfastError, type Operator } from '@holdfast/sdk';

/** The session of an operator in this browser. */
export type ConsoleSession = {
  readonly operator: Operator;
  readonly sessionId: string;
  readonly method: string;
  readonly csrfToken: string;
  /** When it ends at the latest. */
  readonly expiresAt: string;
  /** It ends when it is not used for so long. */
  readonly idleMinutes: number;
};

type Asked = {
  readonly body?: unknown;
  readonly csrfToken?: string;
  /** The text of an invitation. */
  readonly invitation?: string;
  readonly keepalive?: boolean;
};

const TIMEOUT_MS = 35_000;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

type Answer = { data?: unknown; error?: { code?: string; message?: string; details?: object } } | null;

const refusalOf = (response: Response, answer: Answer): HoldfastError => {
  const {
    code = 'UNEXPECTED_ANSWER',
    message = 'The server gave an unexpected answer.',
    details = {},
  } = answer?.error ?? {};
  const facts = { status: response.status, requestId: response.headers.get('x-request-id') };
  return new HoldfastError({ code: code as 'VALIDATION_ERROR', message, details: details as never, ...facts });
};

const disconnected = (url: string, cause: unknown): HoldfastError =>
  new HoldfastError({
    code: 'CONNECTION_FAILED',
    message: 'The server does not answer.',
    status: null,
    requestId: null,
    details: { url, reason: String(cause) },
  });

/** `POST /console/session`. Never repeats a request. */
export const askConsole = async <Data>(request: string, asked: Asked = {}): Promise<Data> => {
  const [method = 'GET', url = ''] = request.split(' ');
  const { body, csrfToken, invitation, keepalive = false } = asked;
  const response = await fetch(url, {
    method,
    keepalive,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(csrfToken === undefined ? {} : { 'x-csrf-token': csrfToken }),
      // Not in the path, which proxies write to their logs.
      ...(invitation === undefined ? {} : { 'x-invitation': invitation }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw disconnected(url, error);
  });
  const answer = parsed(await response.text()) as Answer;
  if (!response.ok || answer === null) throw refusalOf(response, answer);
  return answer.data as Data;
};

/** Null when this browser has no session. */
export const findConsoleSession = async (): Promise<ConsoleSession | null> => {
  try {
    return await askConsole<ConsoleSession>('GET /console/session');
  } catch (error) {
    if (error instanceof HoldfastError && error.status === 401) return null;
    throw error;
  }
};
