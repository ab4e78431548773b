// The queries of webhook endpoints. Their figures change without events, so they are polled.

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.tsx';

const POLL_MS = 10_000;
/** The largest page, and more than a marketplace may have. */
const MANY = 100;

/** All endpoints, newest first, without their health. */
export const useEndpoints = () => {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', 'list'],
    queryFn: async () => (await client.webhookEndpoints.list({ limit: MANY }).page()).items,
    refetchInterval: POLL_MS,
  });
};

/** One endpoint with its health. */
export const useEndpoint = (id: string) => {
  const client = useClient();
  return useQuery({
    queryKey: ['webhooks', id],
    queryFn: () => client.webhookEndpoints.get(id),
    refetchInterval: POLL_MS,
  });
};
