// Reads that may take long: the audit trail and its verification, proofs, reports and statements. They have a small pool of their own,
// a gate for each marketplace, and a time limit, so that one marketplace can slow down only itself.

import pg from 'pg';
import { createGates, type Gates } from '../base/concurrency.ts';
import { DomainError } from '../base/domain-error.ts';
import { type Connection, openHeavyPool } from './connection.ts';

type HeavyReadLimits = {
  readonly max: number;
  readonly perMarketplaceMax: number;
  readonly waitingMax: number;
  readonly timeoutMs: number;
};

export type HeavyReads = {
  /** Only for reads inside `run`. A read takes a connection for each statement or snapshot, and others take turns with it. */
  readonly pool: pg.Pool;
  /** Runs a read of one marketplace when it has a place. Refuses when too many wait, and when a statement takes too long. */
  readonly run: Gates;
  close(): Promise<void>;
};

const RETRY_AFTER_S = 1;
const CANCELED = '57014';

const reads = (count: number): string => (count === 1 ? '1 heavy read' : `${count} heavy reads`);

const marketplaceFull = ({ perMarketplaceMax, waitingMax }: HeavyReadLimits): DomainError =>
  new DomainError('TOO_MANY_HEAVY_READS', {
    message: `This marketplace may run ${reads(perMarketplaceMax)} at once in each process of the server, and ${waitingMax} more may wait. Wait until one has ended.`,
    details: { limit: perMarketplaceMax, waitingMax, retryAfter: RETRY_AFTER_S },
  });

const processFull = ({ max }: HeavyReadLimits): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message: `This process of the server runs ${reads(max)} at once, and this one waited too long for its turn. Try again after the time in Retry-After.`,
    details: { limit: max, retryAfter: RETRY_AFTER_S },
  });

const tookTooLong = ({ timeoutMs }: HeavyReadLimits): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message: `This read took longer than ${timeoutMs} ms and was stopped. Narrow the range of time or the filters, or ask the operator to raise HEAVY_READ_TIMEOUT_MS.`,
    details: { timeoutMs, retryAfter: Math.ceil(timeoutMs / 1_000) },
  });

const isCanceled = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === CANCELED;

/** The driver has no code for it. Without a connection at all the database is unreachable, which is another answer. */
const isOutOfConnections = (error: unknown, pool: pg.Pool): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect' && pool.totalCount > 0;

export const openHeavyReads = (
  connection: Connection,
  options: HeavyReadLimits & { onError(error: Error): void },
): HeavyReads => {
  const pool = openHeavyPool(connection, options);
  const { perMarketplaceMax, waitingMax } = options;
  const gates = createGates({ atOnce: perMarketplaceMax, waitingMax, refusal: () => marketplaceFull(options) });
  return {
    pool,
    run: (entry, read) =>
      gates(entry, read).catch((error: unknown) => {
        if (isCanceled(error)) throw tookTooLong(options);
        if (isOutOfConnections(error, pool)) throw processFull(options);
        throw error;
      }),
    close: () => pool.end(),
  };
};
