// The figures of one endpoint: how many of its newest deliveries succeeded, how long they took, and what waits.

import type { Clock } from '../../base/instant.ts';
import { numberedId } from '../../base/ulid.ts';
import type { EndpointHealth } from '../webhook-endpoints/routes.ts';
import type { DeliveryReads } from './queries.ts';

type Parts = {
  readonly reads: Pick<DeliveryReads, 'figures' | 'countOpen'>;
  /** The newest position. */
  headOf(marketplaceId: string): Promise<number>;
  /** Where an endpoint without a cursor begins. */
  startOf(of: { readonly marketplaceId: string; readonly createdAt: string }): Promise<number>;
  readonly clock: Clock;
};

const DAY_MS = 86_400_000;

const percentiles = (values: readonly (number | null)[] | null) => ({
  p50: values?.[0] ?? null,
  p99: values?.[1] ?? null,
});

export const createEndpointHealth =
  ({ reads, headOf, startOf, clock }: Parts): EndpointHealth =>
  async ({ marketplaceId, endpoint, cursor }) => {
    const of = { marketplaceId, endpointId: endpoint.id };
    const sinceId = numberedId('webhookDelivery', { ms: Math.floor(clock() / 1_000) - DAY_MS, number: 0n });
    const after = cursor ? Number(cursor.position) : await startOf({ marketplaceId, createdAt: endpoint.createdAt });
    const [figures, pending, failed, head] = await Promise.all([
      reads.figures({ ...of, sinceId }),
      reads.countOpen({ ...of, status: 'PENDING' }),
      reads.countOpen({ ...of, status: 'FAILED' }),
      headOf(marketplaceId),
    ]);
    const { deliveries, delivered, durations, delays } = figures;
    return {
      deliveries,
      successRate: deliveries === 0 ? null : delivered / deliveries,
      durationMs: percentiles(durations),
      delayMs: percentiles(delays),
      // Counting only those that match would read all of them.
      backlog: Math.max(head - after, 0),
      pending,
      failed,
      missed: Number(cursor?.missed ?? 0),
      failingSince: cursor?.failingSince ?? null,
      lastSuccessAt: cursor?.lastSuccessAt ?? null,
      lastFailureAt: cursor?.lastFailureAt ?? null,
    };
  };
