// The hold of outgoing payments, for its banner and for its panel. Only the master key may read it.

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session.tsx';

export const HOLD_POLL_MS = 60_000;

export const useHold = () => {
  const client = useClient();
  return useQuery({
    // The first word keeps a failure out of the notice about stale parts of the page.
    queryKey: ['health', 'payment-hold'],
    queryFn: () => client.service.paymentHold({ maxRetries: 0 }),
    refetchInterval: HOLD_POLL_MS,
  });
};
