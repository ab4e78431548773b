// Waits for a result of the service: polls until it is there, and fails after a time limit.

import { setTimeout as pause } from 'node:timers/promises';
import { failure } from './failures.ts';
import { waitingFor } from './progress.ts';
import type { Run } from './run.ts';

const POLL_MS = 150;
const TIMEOUT_MS = 60_000;

type Waiting<Value> = {
  readonly what: string;
  readonly signal: AbortSignal;
  read(): Promise<Value>;
  isDone(value: Value): boolean;
};

export const waitFor = async <Value>({ what, signal, read, isDone }: Waiting<Value>): Promise<Value> => {
  const end = performance.now() + TIMEOUT_MS;
  const stopWaiting = waitingFor(`${what.slice(0, 1).toLowerCase()}${what.slice(1)}`);
  try {
    for (;;) {
      const value = await read();
      if (isDone(value)) return value;
      if (performance.now() > end) throw failure(`${what} did not happen within ${TIMEOUT_MS / 1_000} seconds.`);
      await pause(POLL_MS, undefined, { signal });
    }
  } finally {
    stopWaiting();
  }
};

/** The address of a user on the ledger, once it can receive payments. The first request for it puts the wallet on the ledger. */
export const depositAddress = async (
  { client, signal }: Pick<Run<unknown>, 'client' | 'signal'>,
  userId: string,
): Promise<string> => {
  const { address } = await client.wallets.deposit(userId);
  await waitFor({
    what: `The activation of the wallet of ${userId}`,
    signal,
    read: () => client.wallets.get(userId),
    isDone: ({ isActive }) => isActive,
  });
  return address;
};
