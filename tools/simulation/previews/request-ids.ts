// Gives the requests of one call an id of their own, which events and audit entries show, and a dry run an Idempotency-Key, which the
// request uses again. Also collects the status of each answer.

import { AsyncLocalStorage } from 'node:async_hooks';

export type Identified = {
  /** Of the first attempt. */
  readonly requestId: string;
  readonly idempotencyKey?: string;
  /** One for each attempt that was answered; the others are null. */
  readonly statuses: (number | null)[];
  /** The first attempt got the answer of an earlier request with its Idempotency-Key. */
  isReplayed: boolean;
};

const current = new AsyncLocalStorage<Identified>();

export const identified = <Result>(of: Identified, work: () => Promise<Result>): Promise<Result> =>
  current.run(of, work);

const attemptId = ({ requestId }: Identified, attempt: number): string =>
  attempt === 1 ? requestId : `${requestId}.${attempt}`;

/** The ids of all attempts. */
export const requestIdsOf = (of: Identified): string[] => of.statuses.map((_, before) => attemptId(of, before + 1));

type Send = (input: string, init?: RequestInit) => Promise<Response>;

/** Only calls that change something: a client may read in between. */
export const withRequestIds =
  (send: Send): Send =>
  async (input, init) => {
    const of = current.getStore();
    if (!of || (init?.method ?? 'GET') === 'GET') return send(input, init);
    const attempt = of.statuses.push(null);
    const headers = new Headers(init?.headers);
    headers.set('x-request-id', attemptId(of, attempt));
    if (of.idempotencyKey) headers.set('idempotency-key', of.idempotencyKey);
    const answer = await send(input, { ...init, headers });
    of.statuses[attempt - 1] = answer.status;
    of.isReplayed ||= attempt === 1 && answer.headers.get('idempotency-replay') === 'true';
    return answer;
  };
