// A proxy between the server and PostgreSQL. It forwards everything, or stops an order at a commit of its marketplace. The audit
// entries of a transaction say what it changes; a transaction that changes nothing is not a step.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { AUDIT_ACTIONS } from '@holdfast/contract/audit.ts';
import { socketOf } from '../../tools/cluster/database.ts';
import { tieSockets } from '../../tools/processes/tie-sockets.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { count, type Gate, type Turn } from './gate.ts';

type Message = { readonly type: string; readonly bytes: Buffer };

const LENGTH_BYTES = 4;

/** Splits a stream into protocol messages. The first message of a client has no type letter. */
const messagesOf = ({ isClient }: { isClient: boolean }) => {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk: Buffer): Message[] => {
    rest = Buffer.concat([rest, chunk]);
    const found: Message[] = [];
    for (;;) {
      const start = isFirst ? 0 : 1;
      if (rest.length < start + LENGTH_BYTES) return found;
      const end = start + rest.readInt32BE(start);
      if (rest.length < end) return found;
      found.push({ type: rest.toString('latin1', 0, start), bytes: rest.subarray(0, end) });
      rest = rest.subarray(end);
      isFirst = false;
    }
  };
};

const joined = (messages: readonly Message[]): Buffer => Buffer.concat(messages.map(({ bytes }) => bytes));

/** The text of a simple query or of a command-complete message. */
const textOf = ({ bytes }: Message): string => bytes.toString('latin1', 1 + LENGTH_BYTES, bytes.length - 1);

/** The unnamed portal, and the name of the prepared statement. */
const BOUND = '\0begin\0';

/** A transaction begins by a simple query, or by the first statement of a batch. */
const isBegin = (message: Message): boolean =>
  message.type === 'Q'
    ? textOf(message) === 'begin'
    : message.type === 'B' && message.bytes.toString('latin1', 1 + LENGTH_BYTES).startsWith(BOUND);

/** Deposits are booked at any poll, so they are not steps of an order. */
const STEPS = AUDIT_ACTIONS.filter((action) => action !== 'DEPOSIT_RECORDED');

const MARKETPLACE = /mkt_[A-Za-z0-9-]+/g;

export const openCommitGate = async (
  t: TestContext,
  { gate, socket }: { gate: Gate; socket: { readonly host: string; readonly port: number } },
) => {
  const lanes = new Map<string, number>();
  const sockets = new Set<Socket>();
  let connections = 0;

  const join = (server: Socket): void => {
    const lane = ++connections;
    const database = connect(socketOf(socket));
    /** What the client sent in the open transaction; null outside a transaction. */
    let sent: string | null = null;
    let unanswered = 0;
    let isStopped = false;
    /** The connection stops when its last commit is answered. */
    let ending: Turn | null = null;

    /** Returns false when the message must not be forwarded. */
    const onCommit = (): boolean => {
      const text = sent ?? '';
      const actions = STEPS.filter((action) => text.includes(action));
      sent = null;
      if (actions.length === 0) return true;
      for (const [id] of text.matchAll(MARKETPLACE)) lanes.set(id, lane);
      const turn = gate.current();
      if (!turn || !text.includes(turn.marketplaceId)) return true;
      const end = count(turn, `commit ${actions.join(' ')}`);
      if (end === 'after') ending = turn;
      if (end !== 'before') return true;
      isStopped = true;
      turn.stop();
      return false;
    };

    const isPassed = (message: Message): boolean => {
      if (isStopped || ending) return false;
      const query = message.type === 'Q' ? textOf(message) : '';
      if (isBegin(message)) sent = '';
      if (query === 'rollback') sent = null;
      if (sent !== null) sent += message.bytes.toString('latin1');
      if (query === 'commit' && !onCommit()) return false;
      if (query === 'commit' || query === 'rollback') unanswered++;
      return true;
    };

    const isAnswered = (message: Message): boolean => {
      const isEnd = message.type === 'C' && /^(COMMIT|ROLLBACK)$/.test(textOf(message));
      if (isEnd) unanswered--;
      if (isEnd && ending && unanswered === 0) {
        isStopped = true;
        ending.stop();
      }
      return !isStopped;
    };

    const fromServer = messagesOf({ isClient: true });
    const fromDatabase = messagesOf({ isClient: false });
    server.on('data', (chunk: Buffer) => database.write(joined(fromServer(chunk).filter(isPassed))));
    database.on('data', (chunk: Buffer) => server.write(joined(fromDatabase(chunk).filter(isAnswered))));
    tieSockets([server, database], sockets);
  };

  const listener = createServer(join);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  afterwards(t, () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    /** The connection of this marketplace's last commit. Marketplaces that share a connection wait for each other. */
    laneOf: (marketplaceId: string): number => lanes.get(marketplaceId) ?? 0,
  };
};
