// Sends the requests of the story and keeps those that the reference shows: what was asked, and what the server answered.

import type { Endpoint } from '../../contract/src/api/endpoint.ts';
import type { ErrorCode } from '../../contract/src/errors.ts';
import { until } from '../until.ts';
import { ENDPOINTS, SURFACE_B_ENDPOINTS } from './endpoints.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are read like JavaScript would
export type Any = any;

export type Asked = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  /** The master key, a key of the marketplace, a token of a person, or null for none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Recorded = {
  readonly route: string;
  readonly asked: Pick<Asked, 'params' | 'query' | 'body'>;
  readonly status: number;
  readonly contentType: string;
  /** The body of the answer: JSON, or text. */
  readonly answer: unknown;
  /** The number of the request in the story. */
  readonly step: number;
};

export type Recorder = ReturnType<typeof createRecorder>;

const MARKETPLACE_HEADER = 'x-marketplace-id';
/** Routes of Surface B begin with this word instead of the method alone. */
const SURFACE_B = 'B ';

const pathOf = (template: string, { params = {}, query = {} }: Asked): string => {
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${template} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? path : `${path}?${search}`;
};

const parsed = (text: string, contentType: string): unknown =>
  contentType.startsWith('application/json') ? JSON.parse(text) : text;

/** The content of an answer of either surface. */
const contentOf = (answer: Any): Any => {
  const data = answer?.data;
  return data !== null && typeof data === 'object' && 'success' in data ? data.data : data;
};

/** Whose key the next request has, and the marketplace that the master key acts in. */
type Caller = { key: string | null; marketplaceId: string };

type Sender = (route: string, asked: Asked) => Promise<{ recorded: Omit<Recorded, 'step'>; text: string }>;

const createSender =
  ({ url, masterKey }: { url: string; masterKey: string }, caller: Caller): Sender =>
  async (route, asked) => {
    const isB = route.startsWith(SURFACE_B);
    const [method, template] = route.slice(isB ? SURFACE_B.length : 0).split(' ') as [string, string];
    const known = isB ? SURFACE_B_ENDPOINTS : ENDPOINTS;
    if (!known.some((row) => row.method === method && row.path === template)) throw new Error(`there is no ${route}`);
    const bearer = asked.key === undefined ? caller.key : asked.key;
    const response = await fetch(`${url}${isB ? '' : '/api/v1'}${pathOf(template, asked)}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(bearer === masterKey ? { [MARKETPLACE_HEADER]: caller.marketplaceId } : {}),
        ...(asked.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: JSON.stringify(asked.body) }),
    });
    const contentType = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const { params, query, body } = asked;
    const recorded = {
      route,
      asked: { ...(params ? { params } : {}), ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) },
      status: response.status,
      contentType: contentType.split(';')[0]!,
      answer: parsed(text, contentType),
    };
    return { recorded, text };
  };

export const createRecorder = (server: { url: string; masterKey: string }) => {
  const { url, masterKey } = server;
  const shown: Recorded[] = [];
  const refusals: (Recorded & { readonly code: ErrorCode })[] = [];
  /** When each request of the story began, in milliseconds. */
  const steps: number[] = [];
  const caller: Caller = { key: null, marketplaceId: '' };
  const send = createSender(server, caller);

  const succeed = async (route: string, asked: Asked): Promise<Recorded> => {
    const { recorded, text } = await send(route, asked);
    if (recorded.status >= 400) throw new Error(`${route}: ${recorded.status} ${text}`);
    return { ...recorded, step: steps.length - 1 };
  };

  return {
    url,
    shown,
    refusals,
    steps,
    masterKey,
    /** From now on requests are sent with this key. */
    actAs(as: { readonly key: string; readonly marketplaceId: string }): void {
      Object.assign(caller, as);
    },
    currentKey: (): string | null => caller.key,
    actIn(id: string): void {
      caller.marketplaceId = id;
    },
    /** Part of the story that the reference does not show. */
    async ask(route: string, asked: Asked = {}): Promise<Any> {
      steps.push(Date.now());
      return contentOf((await succeed(route, asked)).answer);
    },
    /** Reads until the answer is as wanted. The number of reads differs from run to run, so they are no steps of the story. */
    async waitFor(
      what: string,
      { route, holds, ...asked }: Asked & { route: string; holds(data: Any): boolean },
    ): Promise<void> {
      await until(async () => holds(contentOf((await succeed(route, asked)).answer)), what);
    },
    /** The example of the route. Each route has one. */
    async show(route: string, asked: Asked = {}): Promise<Any> {
      if (shown.some((each) => each.route === route)) throw new Error(`${route} has an example already`);
      steps.push(Date.now());
      const recorded = await succeed(route, asked);
      shown.push(recorded);
      return contentOf(recorded.answer);
    },
    /** The example of a refusal of the route. */
    async refuse(code: ErrorCode, route: string, asked: Asked = {}): Promise<void> {
      steps.push(Date.now());
      const { recorded, text } = await send(route, asked);
      const answer = recorded.answer as Any;
      if (answer?.error?.code !== code) throw new Error(`${route}: not ${code} but ${recorded.status} ${text}`);
      refusals.push({ ...recorded, code, step: steps.length - 1 });
    },
    /** An answer that many routes share: it is kept under a name of its own. */
    async showAs(name: string, route: string, asked: Asked): Promise<Any> {
      steps.push(Date.now());
      const recorded = await succeed(route, asked);
      shown.push({ ...recorded, route: `* ${name}` });
      return contentOf(recorded.answer);
    },
    /** An example that was observed elsewhere, such as a webhook or a stream. */
    keep(recorded: Omit<Recorded, 'step'>): void {
      shown.push({ ...recorded, step: steps.length - 1 });
    },
  };
};

/** The tag of a route, which names the file of its examples. */
export const tagOf = (route: string): string => {
  const isB = route.startsWith(SURFACE_B);
  const [method, path] = route.slice(isB ? SURFACE_B.length : 0).split(' ');
  const known: readonly Pick<Endpoint, 'method' | 'path' | 'tag'>[] = isB ? SURFACE_B_ENDPOINTS : ENDPOINTS;
  const found = known.find((row) => row.method === method && row.path === path);
  if (!found) throw new Error(`there is no ${route}`);
  return found.tag;
};
