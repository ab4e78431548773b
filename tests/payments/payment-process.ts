// The top-ups of a second process on the same database, with its own committer, provider adapter and jobs.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Context } from '../../server/src/commit/command.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { createPaymentFloat } from '../../server/src/modules/float/open-float.ts';
import { createFloatReads } from '../../server/src/modules/float/queries.ts';
import { createTopUpPollTimes, refreshTopUps } from '../../server/src/modules/topups/jobs.ts';
import { createTopUps } from '../../server/src/modules/topups/operations.ts';
import { openProviders } from '../../server/src/providers/providers.ts';
import { openFixture } from '../commit/fixture.ts';
import type { PaymentFixture } from './payment-fixture.ts';

export const CONTEXT: Context = {
  marketplaceId: 'mkt_default',
  actor: { type: 'system', id: 'test' },
  requestId: 'req_of-another-process',
};

type Options = {
  /** Settings that differ from the server's. */
  readonly env?: Record<string, string>;
  /** False: the process has no HTTP server, so payers cannot return to it. */
  readonly listens?: boolean;
};

/** Its top-ups do not open the float; tests open it themselves. */
export const openProcess = async (t: TestContext, { app, env }: PaymentFixture, options: Options = {}) => {
  const { pool, committer } = await openFixture(t, { connection: app.connection });
  const read = readConfig({ ...env, ...options.env });
  assert.ok(read.ok);
  const { submit } = committer;
  const { payment } = openProviders(read.config, { sandboxUrl: null });
  assert.ok(payment);
  const pollTimes = createTopUpPollTimes(pool);
  const troubles: string[] = [];
  const onTrouble = (message: string) => void troubles.push(message);
  const topUps = createTopUps({
    submit,
    pollTimes,
    accounts: { of: async () => payment, current: async () => payment },
    onTrouble,
    openFloat: async () => true,
    callbackUrl: (id) => (options.listens === false ? null : `http://127.0.0.1:1/${id}`),
  });
  const openFloat = createPaymentFloat({ submit, payment, reads: createFloatReads(pool), onTrouble });
  return {
    submit,
    pollTimes,
    topUps,
    openFloat,
    troubles,
    run: refreshTopUps({ refreshDue: topUps.refreshDue, watchDue: async () => {} }).run,
  };
};
