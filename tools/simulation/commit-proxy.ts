// Stands between one server and PostgreSQL: passes everything on, and at a chosen commit that changes something has the
// server killed, right before the database hears of it or right after it has answered.

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { AUDIT_ACTIONS } from '@holdfast/contract/audit.ts';
import { socketOf } from '../cluster/database.ts';
import { tieSockets } from '../processes/tie-sockets.ts';

export type Point = { readonly at: number; readonly when: 'before' | 'after' };

export type CommitProxy = Awaited<ReturnType<typeof openCommitProxy>>;

/** Everything that changes state is audited in the same transaction. */
const CHANGE = new RegExp(AUDIT_ACTIONS.join('|'));
const COMMIT = Buffer.from('Q\0\0\0\x0bcommit\0', 'latin1');
const COMMITTED = Buffer.from('COMMIT\0', 'latin1');

type Armed = Point & { seen: number; strike(): void };

export const openCommitProxy = async (socket: { readonly host: string; readonly port: number }) => {
  const sockets = new Set<Socket>();
  let armed: Armed | null = null;

  /** How the armed kill meets a commit of a change, if it does. */
  const meet = (): { when: Point['when']; strike(): void } | null => {
    if (!armed || ++armed.seen !== armed.at) return null;
    const { when, strike } = armed;
    armed = null;
    return { when, strike };
  };

  const join = (server: Socket): void => {
    const database = connect(socketOf(socket));
    let hasChange = false;
    let isCut = false;
    /** Struck as soon as its commit is answered. */
    let ending: (() => void) | null = null;

    server.on('data', (chunk: Buffer) => {
      if (isCut) return;
      if (!armed) {
        database.write(chunk);
        return;
      }
      hasChange ||= CHANGE.test(chunk.toString('latin1'));
      const at = chunk.indexOf(COMMIT);
      const met = at >= 0 && hasChange ? meet() : null;
      if (at >= 0) hasChange = false;
      if (met?.when === 'before') {
        isCut = true;
        database.write(chunk.subarray(0, at));
        return met.strike();
      }
      if (met) ending = met.strike;
      database.write(chunk);
    });
    database.on('data', (chunk: Buffer) => {
      if (isCut) return;
      if (ending && chunk.includes(COMMITTED)) {
        isCut = true;
        return ending();
      }
      server.write(chunk);
    });
    tieSockets([server, database], sockets);
  };

  const listener = createServer(join);
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    /** Calls the given function at that commit, counted from now. */
    arm(point: Point, strike: () => void): void {
      armed = { ...point, seen: 0, strike };
    },
    disarm(): void {
      armed = null;
    },
    close(): void {
      listener.close();
      for (const each of sockets) each.destroy();
    },
  };
};
