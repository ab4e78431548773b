// The withdrawals of a second process on the same database, with its own committer, ledger parts and jobs. It has no HTTP server.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createReactions } from '../../server/src/commit/reactions.ts';
import { composePayments } from '../../server/src/compose-payments.ts';
import { readConfig } from '../../server/src/config/config.ts';
import { keepKeks } from '../../server/src/ledger/keys/key-ring.ts';
import { wireLedger } from '../../server/src/ledger/wire.ts';
import { wireProviderCredentials } from '../../server/src/modules/provider-credentials/wire.ts';
import { createBreaks, uncreditedDeposits } from '../../server/src/modules/reconciliation/breaks.ts';
import { createWithdrawalPollTimes } from '../../server/src/modules/withdrawals/jobs.ts';
import { createLog } from '../../server/src/observability/logs.ts';
import { openProviders, type Providers } from '../../server/src/providers/providers.ts';
import { ACTION_OWNERS } from '../../server/src/registry.ts';
import { afterwards } from '../../tools/test-database/afterwards.ts';
import { openFixture } from '../commit/fixture.ts';
import { WALLET_KEKS } from '../support/app.ts';
import type { WithdrawalFixture } from './withdrawal-fixture.ts';

type Place = Pick<WithdrawalFixture, 'env'> & {
  readonly app: Pick<WithdrawalFixture['app'], 'connection'>;
  /** The same providers, for a test that records what the process asks them for. */
  readonly through?: (providers: Providers) => Providers;
};

export const openProcess = async (t: TestContext, { app, env, through = (one) => one }: Place) => {
  const troubles: string[] = [];
  const reactions = createReactions((message) => void troubles.push(message));
  const { pool, committer } = await openFixture(t, { connection: app.connection, reactions });
  const read = readConfig(env);
  assert.ok(read.ok);
  const { config } = read;
  const { submit } = committer;
  const providers = through(openProviders(config, { sandboxUrl: null }));
  const log = createLog({ level: 'silent' });
  const common = {
    config,
    pool,
    submit,
    reactions,
    providers,
    log,
    onTrouble: (message: string) => void troubles.push(message),
  };
  const keeper = keepKeks(WALLET_KEKS);
  const ledger = wireLedger({
    ...common,
    connection: app.connection,
    setAside: uncreditedDeposits(createBreaks(pool)),
    owners: ACTION_OWNERS,
    keeper,
  });
  const credentials = wireProviderCredentials({ ...common, keeper });
  const payments = await composePayments({ ...common, ledger, credentials, isSandbox: false });
  afterwards(t, async () => {
    await payments.close();
    await ledger.close();
  });
  const jobOf = (name: string) => {
    const job = payments.jobs.find((one) => one.name === name);
    assert.ok(job, name);
    return job.run;
  };
  return {
    troubles,
    submit,
    pollTimes: createWithdrawalPollTimes(pool),
    refreshTopUps: jobOf('refresh-topups'),
    refresh: jobOf('refresh-withdrawals'),
    expire: jobOf('expire-withdrawals'),
  };
};
