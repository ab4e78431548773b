// Where the work of a run is done from: a client for each group of requests, so that each answer is counted where it belongs,
// the people it is about, and the journal.

import { Holdfast, SurfaceB } from '@holdfast/sdk';
import { type Random, randomOf } from '../simulation/random.ts';
import { openUserBalances } from './balances.ts';
import type { Fixture } from './environment.ts';
import { type Group, openRecorder } from './recorder.ts';

export type SimulatedUser = { readonly id: string; readonly address: string };

export type Visitor = { readonly email: string; readonly password: string };

export type Context = ReturnType<typeof openContext>;

type Options = { readonly fixture: Fixture; readonly key: string; readonly readKey: string; readonly seed: number };

const PARTS = 6;
const FAILURE = 500;
/** A busy machine refuses some requests. A client that gave up early would leave its work half done. */
const REPEATS_MAX = 20;
const ID = /\b[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}\b/g;
const REQUEST_ID = /,?"requestId":"[^"]*"/;

export const openContext = ({ fixture, key, readKey, seed }: Options) => {
  const recorder = openRecorder(PARTS);
  const userBalances = openUserBalances();
  const users: SimulatedUser[] = [];
  const visitors: Visitor[] = [];
  const random: Random = randomOf(seed, 'soak');
  let made = 0;

  /** Records the message of every 5xx: the client may repeat the request, and the message would be lost. */
  const send = async (input: string, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(input, init);
    if (answer.status >= FAILURE) {
      const text = await answer.clone().text();
      const path = new URL(input).pathname.replaceAll(ID, ':id');
      recorder.failed(
        `${init?.method ?? 'GET'} ${path}: ${answer.status} ${text.replace(REQUEST_ID, '').replaceAll(ID, ':id')}`,
      );
    }
    return answer;
  };

  const watched = (group: Group) => ({
    url: fixture.url,
    maxRetries: REPEATS_MAX,
    fetch: send as typeof fetch,
    onAttempt: ({ status, durationMs: ms }: { status: number | null; durationMs: number }) =>
      recorder.answered(group, { status, ms }),
  });
  const clientOf = (group: Group): Holdfast => new Holdfast({ ...watched(group), apiKey: key });

  /** One request as it is; the answer is read to its end. */
  const fetchOf = async (group: Group, request: string, init: RequestInit = {}) => {
    const [method, path] = request.split(' ') as [string, string];
    const begunAt = performance.now();
    const answer = await fetch(fixture.url + path, { method, ...init });
    const text = await answer.text();
    recorder.answered(group, { status: answer.status, ms: performance.now() - begunAt });
    return { status: answer.status, text };
  };

  return {
    fixture,
    key,
    readKey,
    recorder,
    userBalances,
    users,
    visitors,
    random,
    parts: PARTS,
    money: clientOf('money'),
    orders: clientOf('orders'),
    escrows: clientOf('escrows'),
    payments: clientOf('payments'),
    reads: clientOf('reads'),
    streams: new Holdfast({ url: fixture.url, apiKey: key }),
    visit: (): SurfaceB => new SurfaceB(watched('users')),
    fetch: fetchOf,
    bearer: (as: string): Record<string, string> => ({ authorization: `Bearer ${as}` }),
    name: (of: string): string => `${of}-${seed}-${++made}`,
    anybody: (): SimulatedUser => random.pick(users),

    /** What the outside world does. */
    async sendControl(how: string, body?: unknown): Promise<true> {
      const [method, path] = how.split(' ') as [string, string];
      const json =
        body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(fixture.simulators!.control + path, { method, ...json });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`the simulators answered ${how} with ${answer.status} ${text}`);
      return true;
    },
  };
};
