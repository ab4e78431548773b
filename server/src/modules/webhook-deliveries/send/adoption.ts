// Takes deliveries from the database into the queue of a sender: those that failed, and those that a request wants to be tried again.

import type { PendingDelivery } from '../pending-queries.ts';
import type { Item, SendQueue } from './send-queue.ts';

type Options = {
  readonly queue: Pick<SendQueue, 'addFailed'>;
  /** All of the endpoint, whenever they are due. */
  readPending(): Promise<readonly PendingDelivery[]>;
  isClosed(): boolean;
  onTrouble(message: string, error: unknown): void;
};

const failedItem = ({ id, tries, nextAttemptAt: _, ...event }: PendingDelivery): Item => ({
  deliveryId: id,
  event,
  envelope: null,
  tries,
});

export const createAdoption = ({ queue, readPending, isClosed, onTrouble }: Options) => {
  /** Ids of deliveries that were settled while a read was under way. The rows that it returns may be older. */
  const settled = new Set<string>();
  let reads = 0;

  const adopt = async (read: () => Promise<readonly PendingDelivery[]>): Promise<void> => {
    reads++;
    try {
      const rows = (await read()).filter(({ id }) => !settled.has(id));
      if (!isClosed()) for (const row of rows) queue.addFailed(failedItem(row), row.nextAttemptAt);
    } finally {
      reads--;
      if (reads === 0) settled.clear();
    }
  };

  return {
    adopt,
    noteSettled(deliveryId: string): void {
      if (reads > 0) settled.add(deliveryId);
    },
    /** The endpoint answers again, so nothing has to wait for its next attempt. */
    async adoptAll(): Promise<void> {
      const nextAttemptAt = new Date().toISOString();
      try {
        await adopt(async () => (await readPending()).map((row) => ({ ...row, nextAttemptAt })));
      } catch (error) {
        onTrouble('pending webhook deliveries could not be read; they are sent when they are due', error);
      }
    },
  };
};
