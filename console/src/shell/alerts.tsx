// The Alerts button in the head of every page: how many alerts are open. The list behind it is loaded when it is opened.

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../parts/button.tsx';
import { useClient, useDenial } from '../session.tsx';

const AlertList = lazy(async () => ({ default: (await import('./alert-list.tsx')).AlertList }));

/** The stream of the console carries no alerts. */
const POLL_MS = 30_000;
const COUNTED_MAX = 99;

export const AlertsButton = () => (useDenial('read') === null ? <OpenAlerts /> : null);

const OpenAlerts = () => {
  const client = useClient();
  const [isOpen, setOpen] = useState(false);
  const { data, refetch } = useQuery({
    queryKey: ['alerts', 'open'],
    queryFn: () => client.alerts.list({ status: 'OPEN', limit: COUNTED_MAX }).page(),
    refetchInterval: POLL_MS,
  });
  const count = data?.items.length ?? 0;
  const shown = data?.hasMore ? `${COUNTED_MAX}+` : String(count);
  const label = count === 0 ? 'Alerts: none open' : `Alerts: ${shown} open`;
  /** The count may be up to half a minute old, and the list must not be. */
  const open = (): void => {
    setOpen(true);
    void refetch();
  };
  return (
    <>
      <Button tone="plain" icon="alerts" aria-label={label} title={label} onClick={open}>
        {count === 0 ? null : (
          <span className="alert-count" aria-hidden="true">
            {shown}
          </span>
        )}
      </Button>
      <Suspense>{isOpen ? <AlertList open={data?.items ?? []} onClose={() => setOpen(false)} /> : null}</Suspense>
    </>
  );
};
