// The load of the HTTP measurement, in a process of its own: keep-alive connections on bare sockets, each with one request
// on its way. It shares the machine with what it measures, so it does as little as it can: it reads the status and the
// length of an answer and nothing else.

import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';

export type LoadOrder = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly method: 'GET' | 'POST';
  /**
   * `{user}` stands for the next of the users, `{key}` in headers for that user's key, `{uuid}` in headers for a new one,
   * `{n}` in the body for a new number, `{order}` for the next of the orders that the load before has made.
   */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: string | null;
  readonly users: readonly string[];
  /** One for each of the users. */
  readonly keys?: readonly string[];
  /** Keeps the ids of the orders in the answers. */
  readonly keepsOrders?: boolean;
};

export type LoadAnswer = {
  readonly perSecond: number;
  readonly timesMs: readonly number[];
  /** By status, those that are not 2xx; 0 for connections that ended. */
  readonly refused: Readonly<Record<string, number>>;
};

let numbers = 0;
/** Each is used once, so a load with `{order}` ends when none is left. */
let orders: string[] = [];
const newUuid = (): string => randomUUID();

const requestWriter = (order: LoadOrder): (() => string) => {
  const { method, path, headers, body, users, keys = [] } = order;
  const head = ['Host: 127.0.0.1', ...(body === null ? [] : ['Content-Type: application/json']), ...headers].join(
    '\r\n',
  );
  return () => {
    const n = numbers++;
    const own = head.replace('{key}', keys[n % keys.length] ?? '').replace('{uuid}', newUuid);
    const user = users[n % users.length]!;
    const target = path.replace('{user}', user).replace('{order}', () => orders.pop()!);
    const next = users[(n + 1) % users.length]!;
    const text = body?.replace('{n}', String(n)).replace('{user}', user).replace('{next user}', next) ?? '';
    const length = body === null ? '' : `\r\nContent-Length: ${text.length}`;
    return `${method} ${target} HTTP/1.1\r\n${own}${length}\r\n\r\n${text}`;
  };
};

/** Where the answer at the beginning of the text ends; -1 while some of it is missing. */
const answerEnd = (text: string): number => {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return -1;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0);
  const end = headEnd + 4 + length;
  return text.length >= end ? end : -1;
};

const ORDER_ID = /"id":"(ord_[^"]+)"/;

const run = async (order: LoadOrder): Promise<LoadAnswer> => {
  const write = requestWriter(order);
  const needsOrders = order.path.includes('{order}');
  if (order.keepsOrders) orders = [];
  const timesMs: number[] = [];
  const refused: Record<string, number> = {};
  const sockets = await Promise.all(
    Array.from(
      { length: order.connections },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ port: order.port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
          socket.once('error', reject);
        }),
    ),
  );
  const started = performance.now();
  const deadline = started + order.seconds * 1_000;

  const converse = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let pending = '';
      let sentAt = 0;
      const ask = (): void => {
        sentAt = performance.now();
        socket.write(write(), 'latin1');
      };
      socket.setEncoding('latin1');
      socket.on('error', () => {});
      socket.on('data', (chunk: string) => {
        pending = pending === '' ? chunk : pending + chunk;
        const end = answerEnd(pending);
        if (end < 0) return;
        const status = pending.slice(9, 12);
        if (order.keepsOrders) orders.push(ORDER_ID.exec(pending)?.[1] ?? 'none');
        pending = pending.slice(end);
        const now = performance.now();
        if (status[0] === '2') timesMs.push(now - sentAt);
        else refused[status] = (refused[status] ?? 0) + 1;
        if (now < deadline && !(needsOrders && orders.length === 0)) ask();
        else {
          sentAt = 0;
          socket.end();
        }
      });
      socket.on('close', () => {
        if (sentAt > 0) refused[0] = (refused[0] ?? 0) + 1;
        resolve();
      });
      ask();
    });

  let lastAt = started;
  await Promise.all(
    sockets.map(async (socket) => {
      await converse(socket);
      lastAt = performance.now();
    }),
  );
  return { perSecond: timesMs.length / ((lastAt - started) / 1_000), timesMs, refused };
};

process.on('disconnect', () => process.exit());
process.on('message', async (order: LoadOrder) => process.send!(await run(order)));
process.send!({ ready: true });
