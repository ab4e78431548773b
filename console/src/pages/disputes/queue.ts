// The queue of disputes, oldest first. The API lists the newest first, so this reads all of them up to a limit and
// reverses the list.

import type { Dispute, DisputeStatus, ListDisputesQuery } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Client } from '../../api.ts';
import { type PageAsk, type Paged, usePaged, wholeList } from '../../parts/lists/paged.ts';
import { useClient } from '../../session.tsx';

export const QUEUE_MAX = 500;
const PAGE_SIZE = 100;
/** Each row loads its order, so the list shows a few rows at a time. */
const SHOWN_STEP = 25;

type Queue = { readonly disputes: readonly Dispute[]; readonly isCut: boolean };

/** The status, and when the dispute was opened. */
export type DisputeAsk = Pick<ListDisputesQuery, 'createdAfter' | 'createdBefore'> & { readonly status: DisputeStatus };

const readQueue = async (client: Client, ask: DisputeAsk): Promise<Queue> => {
  const disputes: Dispute[] = [];
  for await (const { items, hasMore } of client.disputes.list({ ...ask, limit: PAGE_SIZE }).pages()) {
    disputes.push(...items);
    if (disputes.length >= QUEUE_MAX) return { disputes: disputes.reverse(), isCut: hasMore };
  }
  return { disputes: disputes.reverse(), isCut: false };
};

export const useQueue = (ask: DisputeAsk): { paged: Paged<Dispute>; isCut: boolean } => {
  const client = useClient();
  const [shown, setShown] = useState(SHOWN_STEP);
  const query = useQuery({ queryKey: ['disputes', 'queue', ask], queryFn: () => readQueue(client, ask) });
  const all = query.data?.disputes;
  const whole = {
    ...wholeList({ ...query, data: all?.slice(0, shown) }),
    fetchPage: (page: PageAsk) => client.disputes.list({ ...ask, ...page }).page(),
  };
  const paged = all && all.length > shown ? { ...whole, more: () => setShown(shown + SHOWN_STEP) } : whole;
  return { paged, isCut: query.data?.isCut ?? false };
};

export const useResolved = (ask: DisputeAsk): Paged<Dispute> => {
  const client = useClient();
  return usePaged({
    queryKey: ['disputes', 'list', ask],
    list: (page) => client.disputes.list({ ...ask, limit: SHOWN_STEP, ...page }),
  });
};
