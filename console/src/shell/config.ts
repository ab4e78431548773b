// What the service says about itself; it does not change while the server runs.

import type { GetConfigResult } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session.tsx';

/** Null until it is known. */
export const useConfig = (): GetConfigResult | null => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['config'],
    queryFn: () => client.service.config(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ?? null;
};
