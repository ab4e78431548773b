// The published settings of the service. They do not change while the server runs.

import type { GetConfigResult } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session.tsx';

/** Null until it is loaded. */
export const useConfig = (): GetConfigResult | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: () => client.service.config(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
};
