// A ledger for the tests of one file, whose server can lag behind: it shows an older state than the one of now.

import type { TestContext } from 'node:test';
import { shareInFile } from '../support/share-in-file.ts';
import { beginAtNewest, type DepositFixture, followToEnd, openDepositFixture } from './deposit-fixture.ts';

export const LAG_MS = 60_000;

export const lag = ({ sandbox }: DepositFixture, match: string): void => {
  sandbox.faults.arm({ operation: 'node', fault: 'lagging', count: 10_000, delayMs: LAG_MS, match });
};

export const shareLaggingLedger = () => {
  const shared = shareInFile(async (t) => {
    const fixture = await openDepositFixture(t as TestContext);
    await beginAtNewest(fixture);
    return fixture;
  });
  return {
    shared,
    /** The accounts are older than the lag: a lagging server knows them, and no payment from now on. */
    async openOwner() {
      const fixture = shared();
      fixture.sandbox.faults.clear();
      const owner = await fixture.user();
      await followToEnd(fixture);
      await fixture.follower.check();
      await fixture.sandbox.clock.advance(2 * LAG_MS);
      return { fixture, owner };
    },
  };
};
