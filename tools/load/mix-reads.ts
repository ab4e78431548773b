// Work of the mix that only looks: lists, searches, statements, reports, pages; and requests that are wrong, each with the
// answer that it has to get.

import { setTimeout as pause } from 'node:timers/promises';
import type { Context } from './clients.ts';

const WRONG_BODY_BYTES = 300 * 1024;
const PAGE = 20;
const BUSY = 503;

const firstPage = async (list: { page(): Promise<unknown> }): Promise<void> => {
  await list.page();
};

export const lists = async ({ reads, random, anybody }: Context): Promise<void> => {
  const looks = [
    () => firstPage(reads.orders.list({ limit: PAGE })),
    () => firstPage(reads.orders.list({ limit: PAGE, status: 'CLOSED' })),
    () => firstPage(reads.topups.list({ limit: PAGE })),
    () => firstPage(reads.withdrawals.list({ limit: PAGE })),
    () => firstPage(reads.disputes.list({ limit: PAGE })),
    () => firstPage(reads.users.list({ limit: PAGE })),
    () => firstPage(reads.audit.logs({ limit: PAGE })),
    () => firstPage(reads.operations.list({ limit: PAGE })),
    () => firstPage(reads.users.reservations(anybody().id)),
  ];
  await random.pick(looks)();
};

export const search = async ({ reads, random }: Context): Promise<void> => {
  await firstPage(reads.users.list({ q: `person-${random.int(0, 9)}`, limit: PAGE }));
};

export const balance = async ({ reads, anybody }: Context): Promise<void> => {
  await reads.balances.get(anybody().id);
};

export const statement = async ({ reads, random, anybody }: Context): Promise<void> => {
  const { id } = anybody();
  await (random.is(50) ? reads.users.statement(id, { limit: 100 }) : reads.users.statementCsv(id, { limit: 100 }));
};

export const timeline = async ({ reads }: Context): Promise<void> => {
  const { items } = await reads.orders.list({ limit: PAGE, status: 'CLOSED' }).page();
  if (items[0]) await reads.orders.timeline(items[0].id);
};

export const reports = async ({ reads, random }: Context): Promise<void> => {
  const looks = [() => reads.reports.money(), () => reads.reports.activity(), () => reads.reports.openWork()];
  await random.pick(looks)();
};

export const health = async (context: Context): Promise<void> => {
  await context.reads.service.detailedHealth();
  await context.fetch('pages', 'GET /metrics');
};

/** As a browser loads it: the page, and what the page names. */
export const consolePage = async (context: Context): Promise<void> => {
  const { text } = await context.fetch('pages', 'GET /console/');
  const named = [...text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!);
  for (const path of named) await context.fetch('pages', `GET ${path}`);
};

export const documents = async (context: Context): Promise<void> => {
  await context.fetch(
    'pages',
    `GET ${context.random.pick(['/docs/', '/docs/reference/', '/docs/openapi.json', '/docs/surface-b.json'])}`,
  );
};

/** A reader that opens a stream for a moment, perhaps with past events, and disconnects. */
export const passingStream = async (context: Context): Promise<void> => {
  const since = context.random.is(50) ? new Date(Date.now() - context.random.int(1, 60) * 1_000) : undefined;
  const stop = new AbortController();
  const leaving = pause(context.random.int(200, 5_000)).then(() => stop.abort());
  for await (const _ of context.streams.events({ signal: stop.signal, ...(since ? { since } : {}) }));
  await leaving;
};

const JSON_BODY = { 'content-type': 'application/json' };

type Wrong = readonly [status: number, request: string, init: RequestInit];

const wrongOf = (context: Context): readonly Wrong[] => {
  const own = context.bearer(context.key);
  const credits = `POST /api/v1/users/${context.anybody().id}/balance/credit`;
  const debits = credits.replace('credit', 'debit');
  const post = (headers: Record<string, string>, body: string): RequestInit => ({ headers, body });
  return [
    [400, credits, post({ ...own, ...JSON_BODY }, '{"amount":"-1.00"}')],
    [400, credits, post({ ...own, ...JSON_BODY }, '{"amount":')],
    [400, 'GET /api/v1/orders?limit=0', { headers: own }],
    [401, 'GET /api/v1/orders', {}],
    [401, 'GET /api/v1/orders', { headers: context.bearer(`${context.key.slice(0, -4)}AAAA`) }],
    [403, credits, post({ ...context.bearer(context.readKey), ...JSON_BODY }, '{"amount":"1.00"}')],
    [404, 'GET /api/v1/users/usr_01J9ZQ8H7K5M3N2P4R6S8T0V1W', { headers: own }],
    [404, 'GET /api/v1/nothing-here', { headers: own }],
    [405, 'DELETE /api/v1/orders', { headers: own }],
    [413, credits, post({ ...own, ...JSON_BODY }, `{"reference":"${'x'.repeat(WRONG_BODY_BYTES)}"}`)],
    [415, credits, post({ ...own, 'content-type': 'text/plain' }, 'hello')],
    [422, debits, post({ ...own, ...JSON_BODY }, '{"amount":"99999999999.00"}')],
  ];
};

export const wrong = async (context: Context): Promise<void> => {
  const [wanted, request, init] = context.random.pick(wrongOf(context));
  const { status, text } = await context.fetch('wrong', request, init);
  // Busy is an answer to anything.
  if (status !== wanted && status !== BUSY)
    throw new Error(`${request} was answered with ${status} and not ${wanted}: ${text}`);
};
