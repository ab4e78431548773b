// A source that answers like the nearest comparable system where it differs from Holdfast: amounts as numbers, no meta, no word about
// pages and fewer records on them than were asked for, milestones only on the order itself, a marketplace that is missing, and a rate limit.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';

type Answer = { readonly status: number; readonly text: string; readonly headers?: Record<string, string> };

/** Whatever limit is asked for. */
const PAGE_MAX = 7;

const USERS = Array.from({ length: 15 }, (_, at) => `usr_${String(at).padStart(3, '0')}`);

const userOf = (id: string): string =>
  `{"id":"${id}","externalUserId":"old ${id}","email":"${id}@old.example","name":"Name of ${id} ","marketplaceId":null,"kycScore":0.75}`;

/** The numbers are written as text, because a float could not hold them. */
const BALANCES: Readonly<Record<string, string>> = {
  usr_000:
    '{"available":90071992547.41,"reserved":25,"total":90071992572.41,"currency":"USD","updatedAt":"2026-01-01"}',
  usr_001: '{"available":0.1,"held":0.0,"currency":"USD"}',
};

const EMPTY = '{"available":0,"reserved":0,"currency":"USD"}';

const ORDERS: Readonly<Record<string, string>> = {
  ord_1:
    '{"id":"ord_1","status":"FUNDS_RESERVED","amount":25,"currency":"USD","buyerId":"usr_000","sellerId":"usr_001","title":"","metadata":{"platformFee":2.5,"rank":7}}',
  ord_2: '{"id":"ord_2","status":"CLOSED","amount":5.5,"currency":"USD","buyerId":"usr_000","sellerId":"usr_001"}',
  ord_3:
    '{"id":"ord_3","status":"DISPUTED","amount":9,"currency":"USD","buyerId":"usr_000","sellerId":"usr_001","milestones":[]}',
};

const MILESTONES =
  '"milestones":[{"ref":"m1","title":"One","amount":10.5,"status":"PENDING"},{"ref":"m2","amount":14.5}]';

const pageOf = (all: readonly string[], { url, show }: { url: URL; show: (id: string) => string }): Answer => {
  const start = all.indexOf(url.searchParams.get('cursor') ?? '') + 1;
  const page = all.slice(start, start + PAGE_MAX);
  return { status: 200, text: `{"data":[${page.map(show).join()}]}` };
};

const answerTo = (url: URL): Answer => {
  const path = url.pathname.replace('/api/v1', '');
  const [, user] = /^\/users\/(\w+)\/balance$/.exec(path) ?? [];
  const [, order] = /^\/orders\/(\w+)$/.exec(path) ?? [];
  if (path === '/users') return pageOf(USERS, { url, show: userOf });
  if (path === '/orders') return pageOf(Object.keys(ORDERS), { url, show: (id) => ORDERS[id]! });
  if (user !== undefined && url.searchParams.has('currency'))
    return { status: 400, text: '{"error":{"code":"VALIDATION_ERROR"}}' };
  if (user !== undefined) return { status: 200, text: BALANCES[user] ?? EMPTY };
  if (order === 'ord_1')
    return { status: 200, text: `{"data":{"success":true,"data":${ORDERS.ord_1!.slice(0, -1)},${MILESTONES}}}}` };
  return { status: 404, text: '{"error":{"code":"NOT_FOUND"}}' };
};

export const OTHER_KEY = 'sk_of_the_old_system';

/** The text of an answer, or a status without one, in place of the usual answer; undefined: the usual one. */
export type Fault = (path: string, url: URL) => string | number | undefined;

const faulty = (url: URL, fault: Fault): Answer => {
  const wrong = fault(url.pathname.replace('/api/v1', ''), url);
  if (wrong === undefined) return answerTo(url);
  return typeof wrong === 'string' ? { status: 200, text: wrong } : { status: wrong, text: '{}' };
};

export const startOtherSystem = async (t: Hooks, fault: Fault = () => undefined) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://source');
    const isAllowed = request.headers.authorization === `Bearer ${OTHER_KEY}`;
    seen.push(`${request.method} ${url.pathname}`);
    const isBusy = seen.length % 20 === 0;
    const answer: Answer = isBusy
      ? { status: 429, text: '{}', headers: { 'retry-after': '0' } }
      : isAllowed
        ? faulty(url, fault)
        : { status: 401, text: '{"error":{"code":"UNAUTHORIZED"}}' };
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
};
