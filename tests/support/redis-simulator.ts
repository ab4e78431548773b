// A Redis for tests: speaks RESP2 over TCP and knows only the commands of the rate limiter. It counts and expires as Redis
// does, and can be told to hang or to drop its connections.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

type Entry = { value: string; expiresAtMs: number | null };
type Reply = string | number | null | Error | Reply[];

type RedisSimulator = {
  readonly url: string;
  readonly entries: ReadonlyMap<string, Entry>;
  /** Every command it was sent, by name. */
  readonly heard: string[];
  /** Reads commands and answers nothing until it is set back. */
  hang(on: boolean): void;
  /** Makes a key that has no end, as a crash between two commands would leave it. */
  plant(key: string, value: string): void;
  stop(): Promise<void>;
};

export const startRedisSimulator = async (
  options: { now?: () => number; port?: number } = {},
): Promise<RedisSimulator> => {
  const now = options.now ?? Date.now;
  const entries = new Map<string, Entry>();
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  let hanging = false;

  const run = runnerOf(entries, now);
  const server = createServer((socket) => {
    sockets.add(socket);
    let buffer = Buffer.alloc(0);
    const answer = openSession(run, heard);
    socket.on('data', (chunk: Buffer) => {
      buffer = Buffer.concat([buffer, chunk]);
      for (let parsed = parse(buffer); parsed; parsed = parse(buffer)) {
        buffer = buffer.subarray(parsed.length);
        const reply = answer(parsed.command);
        if (!hanging) socket.write(encode(reply));
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    entries,
    heard,
    hang(on) {
      hanging = on;
    },
    plant: (key, value) => void entries.set(key, { value, expiresAtMs: null }),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

type Run = (command: string[]) => Reply;

/** Runs one command on the entries. */
const runnerOf = (entries: Map<string, Entry>, now: () => number): Run => {
  const live = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    if (entry?.expiresAtMs != null && entry.expiresAtMs <= now()) entries.delete(key);
    return entries.get(key);
  };

  const COMMANDS: Record<string, (args: string[]) => Reply> = {
    SET([key = '', value = '', ...flags]) {
      const words = flags.map((flag) => flag.toUpperCase());
      if (words.includes('NX') && live(key)) return null;
      const px = words.indexOf('PX');
      entries.set(key, { value, expiresAtMs: px === -1 ? null : now() + Number(flags[px + 1]) });
      return 'OK';
    },
    INCR([key = '']) {
      const entry = live(key) ?? { value: '0', expiresAtMs: null };
      if (!/^-?\d+$/.test(entry.value)) return new Error('ERR value is not an integer or out of range');
      entry.value = String(Number(entry.value) + 1);
      entries.set(key, entry);
      return Number(entry.value);
    },
    PTTL([key = '']) {
      const entry = live(key);
      if (!entry) return -2;
      return entry.expiresAtMs === null ? -1 : entry.expiresAtMs - now();
    },
    PEXPIRE([key = '', ms = '0']) {
      const entry = live(key);
      if (!entry) return 0;
      entry.expiresAtMs = now() + Number(ms);
      return 1;
    },
    INFO: () => 'redis_version:7.0.0\r\nloading:0\r\n',
    CLIENT: () => 'OK',
    PING: () => 'PONG',
  };

  return (command: string[]): Reply => {
    const [name = '', ...args] = command;
    return (
      COMMANDS[name.toUpperCase()]?.(args) ??
      (name.toUpperCase() === 'SET' ? null : new Error(`ERR unknown command '${name}'`))
    );
  };
};

/** Answers the commands of one connection, which may queue them between MULTI and EXEC. */
const openSession = (run: Run, heard: string[]): Run => {
  let queued: string[][] | null = null;
  return (command: string[]): Reply => {
    const name = command[0]!.toUpperCase();
    heard.push(name);
    if (name === 'MULTI') {
      queued = [];
      return 'OK';
    }
    if (name === 'EXEC') {
      const all = queued ?? [];
      queued = null;
      return all.map(run);
    }
    if (queued) {
      queued.push(command);
      return 'QUEUED';
    }
    return run(command);
  };
};

/** One command from the front of the buffer: an array of bulk strings. */
const parse = (buffer: Buffer): { command: string[]; length: number } | null => {
  let at = 0;
  const line = (): string | null => {
    const end = buffer.indexOf('\r\n', at);
    if (end === -1) return null;
    const text = buffer.toString('utf8', at, end);
    at = end + 2;
    return text;
  };
  const head = line();
  if (head === null) return null;
  const command: string[] = [];
  for (let left = Number(head.slice(1)); left > 0; left--) {
    const size = line();
    if (size === null) return null;
    const length = Number(size.slice(1));
    if (buffer.length < at + length + 2) return null;
    command.push(buffer.toString('utf8', at, at + length));
    at += length + 2;
  }
  return { command, length: at };
};

const encode = (reply: Reply): string => {
  if (reply === null) return '$-1\r\n';
  if (typeof reply === 'number') return `:${reply}\r\n`;
  if (reply instanceof Error) return `-${reply.message}\r\n`;
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encode).join('')}`;
  return reply.includes('\r\n') ? `$${Buffer.byteLength(reply)}\r\n${reply}\r\n` : `+${reply}\r\n`;
};
