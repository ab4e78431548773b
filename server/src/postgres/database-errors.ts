// What an error of the database means for the work in hand. A mistake of our own is marked as such, so that it fails
// the command that made it and not the connection.

import pg from 'pg';

/** Our own mistake, found before anything was sent. */
export const UNWRITABLE = 'HF003';

const sqlState = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '');

/**
 * The connection ended, and nobody said what became of the work: class 08, a server that goes down, or no answer. Only
 * the database's own word is an answer; driver, socket and TLS have too many errors to list, and one that is forgotten
 * here would carry out a committed group a second time.
 */
export const isConnectionLoss = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return /^(08|57P)/.test(sqlState(error));
  return (error as { code?: unknown }).code !== UNWRITABLE;
};

/** Nothing is wrong with the command: the database has no room, no time or no connection just now. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionLoss(error) || /^(53|57014)/.test(sqlState(error));

const AWAY = ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'];
const AWAY_CALLS = ['connect', 'read', 'write', 'getaddrinfo'];
const AWAY_WORDS = /^(Connection terminated|timeout exceeded when trying to connect|timeout expired)/;

/** Of a read, where an error may come from anywhere: only what is certainly the database's absence or want of room. */
export const isAway = (error: unknown): boolean => {
  if (error instanceof pg.DatabaseError) return isUnavailable(error);
  const { code, syscall, message } = error as { code?: unknown; syscall?: unknown; message?: unknown };
  return AWAY.includes(String(code)) ? AWAY_CALLS.includes(String(syscall)) : AWAY_WORDS.test(String(message));
};

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
