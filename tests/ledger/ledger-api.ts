// The HTTP server of a deposit fixture: the routes that compare the books with the ledger, over real sockets.

import type { TestContext } from 'node:test';
import { LIMITS } from '@holdfast/contract/limits.ts';
import type { Scope } from '@holdfast/contract/scopes.ts';
import { proveBooks } from '../../server/src/books/proof.ts';
import { buildApp } from '../../server/src/http/app.ts';
import { memoryLimiter } from '../../server/src/http/rate-limit.ts';
import { createArchiveVerifier } from '../../server/src/modules/archives/verifier.ts';
import { createAuditReads } from '../../server/src/modules/audit/queries.ts';
import { auditRoutes } from '../../server/src/modules/audit/routes.ts';
import { createBalanceReads, createReservationReads } from '../../server/src/modules/balances/queries.ts';
import { balanceRoutes, type OnLedger } from '../../server/src/modules/balances/routes.ts';
import { createFloatTotal } from '../../server/src/modules/float/float-balance.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { reconciliationRoutes } from '../../server/src/modules/reconciliation/routes.ts';
import { creditByHand } from '../../server/src/modules/topups/credit-by-hand.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { type DepositFixture, MARKETPLACE } from './deposit-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: an answer is read like JavaScript would, and the assertions are the types
type Answer = { status: number; body: any };

/** A key is written as its scopes, then @ and its marketplace. */
type Ask = { key?: string; body?: unknown; headers?: Record<string, string> };

export type LedgerCall = (request: string, ask?: Ask) => Promise<Answer>;

const callerOf = (bearer: string) => {
  const [scopes = '', marketplaceId = MARKETPLACE] = bearer.split('@');
  const keyId = `key-${bearer}`;
  const keyName = bearer;
  return { type: 'api_key', keyId, keyName, scopes: scopes.split('+') as Scope[], marketplaceId } as const;
};

export const openLedgerApi = async (
  t: TestContext,
  fixture: DepositFixture,
  onLedger?: OnLedger,
): Promise<LedgerCall> => {
  const { pool, submit, breakReads } = fixture;
  const app = await buildApp({
    routes: [
      ...balanceRoutes({
        balances: createBalanceReads(pool),
        reservations: createReservationReads(pool),
        baseCurrency: 'USD',
        onLedger: onLedger ?? fixture.balances,
        creditByHand,
      }),
      ...reconciliationRoutes({
        breaks: breakReads,
        floatTotal: createFloatTotal({ payment: null, reads: createFloatReads(pool) }),
      }),
      ...auditRoutes({
        audit: createAuditReads(pool),
        archives: createArchiveVerifier('no-archives'),
        prove: ({ marketplaceId }) => proveBooks(pool, marketplaceId),
        pool,
      }),
    ],
    submit,
    findAnswer: async () => null,
    authenticate: callerOf,
    limiter: memoryLimiter({ windowMs: 60_000, now: Date.now }),
    rateLimit: { max: 100_000, windowMs: 60_000 },
    logger: createLog({ level: 'silent' }),
    bodyLimitBytes: LIMITS.bodyBytes,
    trustProxy: false,
    corsOrigins: [],
    idempotencyRetentionHours: 24,
    shutdownGraceMs: 1_000,
    version: '0.0.0',
  });
  afterwards(t, () => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return async (request, { key = '*', body, headers } = {}) => {
    const [method, path] = request.split(' ') as [string, string];
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  };
};
