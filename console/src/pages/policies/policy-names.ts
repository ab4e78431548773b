// The names of the policies that a new order can take.

import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session.tsx';

/** The newest versions are enough: a name is in the list again with each of its versions. */
const MANY = 100;

export const usePolicyNames = (): readonly string[] => {
  const client = useClient();
  const { data = [] } = useQuery({
    queryKey: ['policies', 'names'],
    queryFn: async () => (await client.policies.list({ limit: MANY }).page()).items,
  });
  return [...new Set(data.map(({ name }) => name))].sort();
};
