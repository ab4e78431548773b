// A client of the stream for tests: it parses whole messages only, and keeps the last id so that it can connect again.

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export type Message = {
  id?: string;
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: the assertions are the types
  data: any;
};

export type Listener = {
  response: IncomingMessage;
  /** Messages so far, without pings. */
  messages: Message[];
  pings: Message[];
  comments: string[];
  lastId(): string | undefined;
  /** Resolves as soon as the condition holds; the condition is checked again after everything that arrives. */
  until(condition: () => boolean): Promise<void>;
  /** Resolves when there are at least `count` messages. */
  take(count: number): Promise<Message[]>;
  /** How the stream ended: `ended` with a complete answer, or `cut`. */
  ended: Promise<'ended' | 'cut'>;
  hangUp(): void;
};

export type Listening = { key?: string; query?: string; lastEventId?: string };

export const listen = async (site: { url: string }, options: Listening = {}): Promise<Listener> => {
  const { key = 'shop', query = '', lastEventId } = options;
  const headers = {
    authorization: `Bearer ${key}`,
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const asked: ClientRequest = request(`${site.url}/api/v1/events${query}`, { headers, agent: false });
  const answered = Promise.withResolvers<IncomingMessage>();
  asked.on('response', answered.resolve);
  asked.on('error', answered.reject);
  asked.end();
  const response = await answered.promise;
  if (response.statusCode !== 200) throw new Error(`${response.statusCode} ${await textOf(response)}`);

  const messages: Message[] = [];
  const pings: Message[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  const ended = Promise.withResolvers<'ended' | 'cut'>();
  const opened = Promise.withResolvers<void>();
  let lastId: string | undefined;
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const message = parse(block, comments);
      if (message === null) opened.resolve();
      else if (message.event === 'ping') pings.push(message);
      else messages.push(message);
      lastId = message?.id ?? lastId;
    }
    for (const check of waiting) check();
  });
  response.on('error', () => {});
  response.on('close', () => {
    opened.resolve();
    ended.resolve(response.complete ? 'ended' : 'cut');
  });
  await opened.promise;

  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });

  return {
    response,
    messages,
    pings,
    comments,
    lastId: () => lastId,
    until,
    async take(count) {
      await until(() => messages.length >= count);
      return messages;
    },
    ended: ended.promise,
    hangUp: () => asked.destroy(),
  };
};

const parse = (block: string, comments: string[]): Message | null => {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon === 0) comments.push(line);
    else fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  if (fields.data === undefined) return null;
  const { id, event = 'message', data } = fields;
  return { ...(id === undefined ? {} : { id }), event, data: JSON.parse(data) };
};

const textOf = async (response: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
};

export const refused = async (site: { url: string }, query: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`${site.url}/api/v1/events${query}`, {
    headers: { authorization: 'Bearer shop', ...headers },
  });
  const body = (await response.json()) as { error: { code: string; details: Record<string, unknown> } };
  const [sentence = ''] = (body.error.details.validationErrors ?? []) as string[];
  return { status: response.status, headers: response.headers, ...body.error, sentence };
};

/** A socket that has requested the stream and is paused: it reads nothing until the test resumes it. */
export const connectRaw = async (site: { port: number }, head: string): Promise<Socket> => {
  const socket = connect(site.port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => {});
  socket.write(head.replaceAll('\n', '\r\n'));
  await once(socket, 'connect');
  return socket;
};

export const positionsOf = (messages: readonly Message[]): number[] =>
  messages.map((message) => message.data.metadata.position);

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
