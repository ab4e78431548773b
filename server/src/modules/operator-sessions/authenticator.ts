// Finds the operator of a session token. Sessions in use are cached for a few seconds, so that most requests need no query; a session that is
// forgotten is read again by the next request. It compares digests in constant time.

import { timingSafeEqual } from 'node:crypto';
import { ROLE_SCOPES, type Role } from '@holdfast/contract/scopes.ts';
import { type Clock, parseInstant } from '../../base/instant.ts';
import type { Caller } from '../../http/caller.ts';
import type { LookUp } from '../../http/key-lookups.ts';
import { digestSecret, type OperatorSession } from '../operators/session.ts';
import { parseSession, type SessionText } from './session-text.ts';

/** A session with what it needs of its operator. */
export type CheckedSession = {
  readonly id: string;
  readonly operatorId: string;
  readonly secretHash: string;
  readonly method: OperatorSession['method'];
  readonly expiresAt: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly endedAt: string | null;
  readonly name: string;
  readonly role: Role;
  readonly isEverywhere: boolean;
  readonly isActive: boolean;
};

type Parts = {
  find(marketplaceId: string, sessionId: string): Promise<CheckedSession | null>;
  readonly clock: Clock;
  readonly idleMs: number;
  onUse?(use: { marketplaceId: string; keyId: string }): void;
  /** Only a safety net: `forget` is called for every change. */
  readonly ttlMs?: number;
  readonly sessionsMax?: number;
};

type Entry = {
  readonly session: CheckedSession;
  readonly caller: Caller;
  readonly loadedAt: number;
  readonly expiresAt: number;
  usedAt: number;
};

export type SessionAuthenticator = {
  authenticate(token: string, lookUp?: LookUp): Caller | null | Promise<Caller | null>;
  /** Must be called with the ids of operators that have changed, or whose sessions have. */
  forget(operatorIds: readonly string[]): void;
  forgetAll(): void;
};

const TTL_MS = 5_000;
const SESSIONS_MAX = 10_000;

const micros = (text: string): number => parseInstant(text) ?? 0;

const callerOf = ({ id, operatorId, name, role, isEverywhere }: CheckedSession, marketplaceId: string): Caller => ({
  type: 'operator',
  keyId: operatorId,
  keyName: name,
  scopes: ROLE_SCOPES[role],
  role,
  marketplaceId,
  rateLimit: null,
  sessionId: id,
  ...(isEverywhere ? { isEverywhere } : {}),
});

export const createSessionAuthenticator = (parts: Parts): SessionAuthenticator => {
  const { clock, onUse } = parts;
  const ttlMicros = (parts.ttlMs ?? TTL_MS) * 1_000;
  const idleMicros = parts.idleMs * 1_000;
  const sessionsMax = parts.sessionsMax ?? SESSIONS_MAX;
  const entries = new Map<string, Entry>();
  // A session that was read before a call of `forget` and arrives after it may be out of date, so it is not cached.
  let forgetCalls = 0;

  const remember = (id: string, entry: Entry): void => {
    entries.delete(id);
    entries.set(id, entry);
    if (entries.size <= sessionsMax) return;
    for (const oldest of entries.keys()) {
      entries.delete(oldest);
      return;
    }
  };

  /** The caller, when the secret is right and the session is valid now. */
  const check = (entry: Entry, { marketplaceId, secret }: SessionText): Caller | null => {
    const { session, caller, expiresAt, usedAt } = entry;
    const isRight = timingSafeEqual(Buffer.from(digestSecret(secret)), Buffer.from(session.secretHash));
    const now = clock();
    const isOver = session.endedAt !== null || !session.isActive || expiresAt <= now || usedAt + idleMicros <= now;
    if (!isRight || isOver || caller.marketplaceId !== marketplaceId) return null;
    entry.usedAt = now;
    onUse?.({ marketplaceId, keyId: session.id });
    return caller;
  };

  const search = async (text: SessionText): Promise<Caller | null> => {
    const before = forgetCalls;
    const loadedAt = clock();
    const session = await parts.find(text.marketplaceId, text.sessionId);
    if (!session) return null;
    const stored = micros(session.lastUsedAt ?? session.createdAt);
    const entry: Entry = {
      session,
      caller: callerOf(session, text.marketplaceId),
      loadedAt,
      expiresAt: micros(session.expiresAt),
      usedAt: Math.max(stored, entries.get(text.sessionId)?.usedAt ?? 0),
    };
    const caller = check(entry, text);
    if (caller !== null && before === forgetCalls) remember(text.sessionId, entry);
    return caller;
  };

  return {
    authenticate(token, lookUp = (find) => find()) {
      const text = parseSession(token);
      if (text === null) return null;
      const known = entries.get(text.sessionId);
      if (known === undefined) return lookUp(() => search(text));
      const age = clock() - known.loadedAt;
      return age >= 0 && age < ttlMicros ? check(known, text) : search(text);
    },
    forget(operatorIds) {
      forgetCalls++;
      for (const [id, { session }] of entries) if (operatorIds.includes(session.operatorId)) entries.delete(id);
    },
    forgetAll() {
      forgetCalls++;
      entries.clear();
    },
  };
};
