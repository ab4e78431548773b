// Reads one order, also repeatedly until no operation of it is running, and waits for what happens to it later.

import type { Changes } from '../changes.ts';
import type { Order } from '../printed/order-records.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';
import { type Waitable, type WaitFor, waiterOf } from '../wait-for.ts';
import { wait } from '../waiting.ts';

/** How long an action keeps waiting for an outside system after the service has stopped waiting. */
const PATIENCE_MS = 60_000;
const LOOK = { firstMs: 200, mostMs: 2_000 };

export const orderReads = (transport: Transport) => {
  const get = (id: string, options?: CallOptions): Promise<Order> =>
    transport.call(ROUTES.getOrder, { params: { id } }, options);

  const whenIdle = async (
    id: string,
    { patienceMs = PATIENCE_MS, ...options }: CallOptions & { patienceMs?: number } = {},
  ): Promise<Order> => {
    const until = performance.now() + patienceMs;
    for (let ms = LOOK.firstMs; ; ms = Math.min(ms * 2, LOOK.mostMs)) {
      const order = await get(id, options);
      if (order.operation === null || performance.now() + ms > until) return order;
      await wait(ms, options.signal);
    }
  };

  return {
    /** One order with its escrow, dispute, milestones and running operation. Fails with ORDER_NOT_FOUND. */
    get,

    /** Waits until no operation of the order is running, and returns the order. */
    whenIdle,
  };
};

export type OrderReads = ReturnType<typeof orderReads>;

type OrderGoal = 'funded' | 'closed' | 'released';

const ORDER: Waitable<Order, OrderGoal> = {
  noun: 'order',
  goals: {
    funded: ({ escrow }) => !!escrow?.fundedAt,
    closed: ({ status }) => status === 'CLOSED',
    released: ({ finalStatus }) => finalStatus === 'RELEASED',
  },
  usual: 'closed',
  hasEnded: ({ status }) => status === 'CLOSED',
  stateOf: ({ status, finalStatus }) => (finalStatus ? `${status}: ${finalStatus}` : status),
};

export const orderWait = (changes: Changes, { get }: OrderReads) => ({
  /**
   * Waits until the order is `closed`, its escrow is `funded`, the seller is paid (`released`), or your function returns true. Fails with
   * ENDED_OTHERWISE when the order was closed without it, and with STILL_PENDING after `patienceMs`.
   *
   * @example
   * const order = await holdfast.orders.waitFor(id, { until: 'funded' });
   */
  waitFor: waiterOf(ORDER, { changes, get }) as WaitFor<Order, OrderGoal>,
});
