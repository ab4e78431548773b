// A banner on every page while payments are on hold. Only the master key may read the hold itself; other keys see what the health of the
// service says about it. The banner is loaded when it is needed.

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { HOLD_POLL_MS, useHold } from '../parts/hold.ts';
import { useClient, useDenial } from '../session.tsx';

const MasterNotice = lazy(async () => ({ default: (await import('./hold-notice.tsx')).MasterNotice }));
const OtherNotice = lazy(async () => ({ default: (await import('./hold-notice.tsx')).OtherNotice }));

export const HoldBanner = () => (
  <Suspense>{useDenial('master') === null ? <MasterBanner /> : <OtherBanner />}</Suspense>
);

const MasterBanner = () => {
  const { data: hold } = useHold();
  return hold && (hold.held || hold.wallets.length > 0) ? <MasterNotice hold={hold} /> : null;
};

const OtherBanner = () => {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['health', 'hold'],
    queryFn: () => client.service.detailedHealth({ maxRetries: 0 }),
    select: ({ probes }) => probes.find(({ name }) => name === 'payment-hold'),
    refetchInterval: HOLD_POLL_MS,
  });
  // Wallets that are held on their own may belong to another marketplace.
  return data?.detail.startsWith('Payments are on hold') ? <OtherNotice detail={data.detail} /> : null;
};
