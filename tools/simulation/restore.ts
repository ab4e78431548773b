// The restore of a backup at the end of a seed: the servers lose their database and start on hold with a copy from the middle of the run,
// while ledger and provider remember everything. An operator releases what is held, and every client whose record is still there goes on.

import type { Actor } from './actors.ts';
import type { Finding, SimulationState } from './checks/checks.ts';
import { openWork } from './checks/rest.ts';
import {
  checkAfterRestore,
  differencesOf,
  forgottenPayouts,
  type OutsideBefore,
  outsideNow,
  wrongBreaks,
  wrongPayments,
} from './checks/restored.ts';
import type { Environment } from './environment.ts';
import { finishScenario } from './finish.ts';
import type { ScenarioRecord } from './records.ts';
import { retryUntil } from './retry.ts';

const RECORDS = `select client_order_ref as tag from orders union all select description from topups
  union all select destination_ref from withdrawals`;

/** Some time passes: ended top-ups are read again, and one that was paid after the backup is found. */
const WATCH_NOW = `update topups set next_look_at = now()
  where status in ('TOPUP_FAILED', 'TOPUP_CANCELED') and late_amount is null and next_look_at < 'infinity'`;

/** Compares nothing: releases each wallet that is held, so that what it has paid is booked as a loss. */
const releaseWallets = async ({ master }: Environment): Promise<number> => {
  const { wallets } = await master.service.paymentHold();
  for (const { walletId } of wallets) await master.service.releasePayments({ walletId }).catch(() => null);
  return wallets.length;
};

/**
 * Syncs every user in both assets, as an operator does who sees that wallets differ from the ledger. A sync may refuse, and must not book what is
 * about to be adopted.
 */
const syncUsers = async ({ places, sql }: Environment): Promise<void> => {
  const users = await sql(
    `select marketplace_id as "marketplaceId", user_id as id from wallets where owner = 'user' and status = 'ACTIVE'`,
  );
  const clients = new Map(places.map(({ marketplaceId, client }) => [marketplaceId, client]));
  await Promise.all(
    users.map(async ({ marketplaceId, id }) => {
      for (const currency of ['USD', 'XLM'] as const) {
        await clients
          .get(marketplaceId)
          ?.balances.sync(id, { currency })
          .catch(() => null);
      }
    }),
  );
};

/** A server may be away, or the answer unclear; the next try tells. */
const orFalse = (work: () => Promise<boolean>) => (): Promise<boolean> => work().catch(() => false);

/** The lives whose record the copy has. The others are over: their clients have nothing to ask for any more. */
const remembered = async ({ sql }: Environment, actor: Actor): Promise<ScenarioRecord[]> => {
  const tags = new Set((await sql(RECORDS)).map(({ tag }) => tag));
  return actor.begun.filter(({ scenario, id }) => id !== null && tags.has(scenario.tag));
};

/** While payments are on hold the ledger is read to its end; nothing can be paid yet. */
const waitForBooks = async (environment: Environment, before: OutsideBefore): Promise<void> => {
  const { held } = await environment.master.service.paymentHold();
  if (!held) throw new Error('a restored server did not start on hold');
  await retryUntil(
    orFalse(async () => {
      await syncUsers(environment);
      const isHeld = (await releaseWallets(environment)) > 0;
      return !isHeld && (await differencesOf(environment)).length === 0;
    }),
    'the books have what the ledger did after the backup',
  );
  const lost = await forgottenPayouts(environment, before);
  await retryUntil(
    orFalse(async () => (await environment.master.service.paymentHold()).lostPayouts >= lost.length),
    'every payout without a withdrawal is shown',
  );
  // Refused until the servers have compared everything.
  await retryUntil(
    orFalse(async () => !(await environment.master.service.releasePayments({ acceptLostPayouts: true })).held),
    'all payments are released',
  );
};

const goOn = async ({ environment, actor }: SimulationState, before: OutsideBefore): Promise<void> => {
  const records = await remembered(environment, actor);
  for (const record of records) record.hasEnded = false;
  await retryUntil(async () => {
    await Promise.all([...records.map((record) => finishScenario(record, actor)), syncUsers(environment)]);
    await releaseWallets(environment).catch(() => 0);
    return records.every(({ hasEnded }) => hasEnded);
  }, 'every scenario that the backup has came to its end');
  await retryUntil(async () => (await openWork(environment)).length === 0, 'nothing is under way after the restore');
  // Before the ledger was read to its end, wallets differed from it and own payments looked foreign.
  await environment.sql(WATCH_NOW);
  await environment.restartAll();
  await retryUntil(
    orFalse(async () => (await wrongPayments(environment)).length === 0),
    'every payment at the provider is in the books',
  );
  await retryUntil(
    orFalse(async () => (await wrongBreaks(environment, before)).length === 0),
    'the breaks from before the release are closed',
  );
};

/** Restores the copy, lives on, and returns what is wrong then. */
export const restoreAndGoOn = async (state: SimulationState): Promise<Finding[]> => {
  const { environment, listeners } = state;
  // Events of the copy have the positions of events that the readers have seen.
  await listeners.close();
  const before = await outsideNow(environment);
  await environment.restore();
  let trouble: string[] = [];
  try {
    await waitForBooks(environment, before);
    await goOn(state, before);
  } catch (error) {
    trouble = [error instanceof Error ? error.message : String(error)];
  }
  const findings = await checkAfterRestore(state, before);
  return trouble.length > 0 ? [{ check: 'restore', found: trouble }, ...findings] : findings;
};
