// Classifies database errors. A mistake of our own code is marked, so that it fails its command and not the connection.

import pg from 'pg';
import { isStaleStatement } from './prepared-statements.ts';

/** A mistake of our own code, found before anything was sent. */
export const UNWRITABLE = 'HF003';

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * A machine of a distributed database does not answer. The connection to the database itself goes on: an error that ends it is FATAL.
 */
export const isNodeLoss = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR' && /^(08|57P)/.test(sqlState(error));

/**
 * The connection ended and the outcome is unknown: class 08, a database that shuts down, or no answer. Only an error of the database is
 * an answer. Driver, socket and TLS have too many errors to list, and a missing one would commit a group twice.
 */
export const isConnectionLoss = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(sqlState(error)) && !isNodeLoss(error);
  return (error as { code?: unknown }).code !== UNWRITABLE;
};

/**
 * The connection leads to a replica, as it can for a moment after the primary has changed. Nothing was written, and a new connection may
 * reach the primary.
 */
const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006';

/** The command is correct, but the database has no space, time or connection at the moment. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLoss(error) || isNodeLoss(error) || isReadOnly(error) || /^(53|57014)/.test(sqlState(error));

const AWAY = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];
const AWAY_CALLS = ['connect', 'read', 'write', 'getaddrinfo'];
// The driver gives these no code. The last two are those of a query after the end of its connection.
const AWAY_WORDS = new RegExp(
  '^(Connection terminated|timeout exceeded when trying to connect|timeout expired|' +
    'Client has encountered a connection error|Client was closed)',
);

/** For reads, whose errors may come from any part: true only when the database is certainly unreachable or out of space. */
export const isAway = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return isUnavailable(error);
  const { code, syscall, message } = error as { code?: unknown; syscall?: unknown; message?: unknown };
  return AWAY.includes(String(code)) ? AWAY_CALLS.includes(String(syscall)) : AWAY_WORDS.test(String(message));
};

type RetryReason = 'serialization' | 'deadlock' | 'connection';

const RETRYABLE: Readonly<Record<string, RetryReason>> = {
  '40001': 'serialization',
  '40P01': 'deadlock',
  // The lock was not granted in time.
  '57014': 'deadlock',
  // Another process changed the marketplace: the state is old and must be read again.
  HF001: 'serialization',
};

/** The connection cannot be used any more. It may also lead to a replica or have statements of an older schema: then nothing was written. */
export const needsNewConnection = (error: unknown): boolean =>
  isConnectionLoss(error) || isReadOnly(error) || isStaleStatement(error);

/** Null: a retry cannot help. */
export const retryReason = (error: unknown): RetryReason | null =>
  RETRYABLE[sqlState(error)] ?? (needsNewConnection(error) || isNodeLoss(error) ? 'connection' : null);
