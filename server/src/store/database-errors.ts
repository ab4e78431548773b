// What an error of the database means for the work in hand. A mistake of our own is none of these, so that it fails the
// command that made it and not the connection.

import pg from 'pg';

/** What the driver says when a connection ends under a query, or cannot be made. */
const DRIVER_SAYS =
  /^(Connection terminated|Client (was closed|has encountered)|timeout (expired|exceeded)|Query read timeout)/;

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/** The connection ended, and nobody said what became of the work: class 08, a server that goes down, or no answer. */
export const isConnectionLoss = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(sqlState(error));
  if (!(error instanceof Error)) return false;
  return DRIVER_SAYS.test(error.message) || typeof (error as NodeJS.ErrnoException).syscall === 'string';
};

/** Nothing is wrong with the command: the database has no room, no time or no connection just now. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLoss(error) || /^(53|57014)/.test(sqlState(error));

export type RetryReason = 'serialization' | 'deadlock' | 'connection';

const RETRYABLE: Readonly<Record<string, RetryReason>> = {
  '40001': 'serialization',
  '40P01': 'deadlock',
  // The lock was not to be had in time.
  '57014': 'deadlock',
  // Somebody else changed the marketplace: what was read is old, and reading again is the cure.
  HF001: 'serialization',
};

/** Null: trying the same again cannot help. */
export const retryReason = (error: unknown): RetryReason | null =>
  RETRYABLE[sqlState(error)] ?? (isConnectionLoss(error) ? 'connection' : null);
