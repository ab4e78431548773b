// The list of open alerts and of those that ended last, each with a link to the page of its subject.

import '../styles/alerts.css';
import { Dialog } from '@base-ui/react/dialog';
import type { SystemAlert } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Button } from '../parts/button.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Time } from '../parts/time.tsx';
import { useClient } from '../session.tsx';

const ENDED_SHOWN = 10;

type Kind = { readonly name: string; readonly to: (subject: string) => string };

const KINDS: Readonly<Record<SystemAlert['kind'], Kind>> = {
  BREAK: { name: 'Reconciliation break', to: () => '/breaks' },
  TREASURY_LOW: { name: 'Treasury low', to: () => '/health' },
  OPERATION_STUCK: { name: 'Stuck operation', to: (id) => `/orders/${id}` },
  WITHDRAWAL_STUCK: { name: 'Stuck withdrawal', to: (id) => `/withdrawals/${id}` },
  DEADLINE_STUCK: { name: 'Stuck deadline', to: (id) => `/orders/${id}` },
  ENDPOINT_DISABLED: { name: 'Webhook endpoint disabled', to: (id) => `/webhooks/${id}` },
  PROOF_FAILED: { name: 'Proof failed', to: () => '/' },
  BACKUP_LATE: { name: 'Backup late', to: () => '/health' },
  APPROVAL_WAITING: { name: 'Request waits for approval', to: () => '/approvals' },
};

type Props = { readonly open: readonly SystemAlert[]; readonly onClose: () => void };

export const AlertList = ({ open, onClose }: Props) => {
  const client = useClient();
  const ended = useQuery({
    queryKey: ['alerts', 'ended'],
    queryFn: () => client.alerts.list({ status: 'CLOSED', limit: ENDED_SHOWN }).page(),
    // Read again whenever the list is opened: an alert that ended must not be missing from both parts.
    staleTime: 0,
  });
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-shade" />
        <Dialog.Popup className="alert-drawer">
          <div className="alert-head">
            <Dialog.Title>Alerts</Dialog.Title>
            <Button tone="plain" icon="close" aria-label="Close alerts" onClick={onClose} />
          </div>
          <section aria-label="Open alerts">
            <h3>Open</h3>
            <Lines alerts={open} none="No alert is open." onClose={onClose} />
          </section>
          <section aria-label="Ended alerts">
            <h3>Ended</h3>
            <Loaded query={ended} name="The list">
              {({ items }) => <Lines alerts={items} none="No alert has ended yet." onClose={onClose} />}
            </Loaded>
          </section>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
};

type LinesProps = { readonly alerts: readonly SystemAlert[]; readonly none: string; readonly onClose: () => void };

const Lines = ({ alerts, none, onClose }: LinesProps) =>
  alerts.length === 0 ? (
    <p className="alert-none">{none}</p>
  ) : (
    <ul className="alert-lines">
      {alerts.map(({ id, kind, subject, message, since, closedAt }) => (
        <li key={id} data-open={closedAt === null || undefined}>
          <Link to={KINDS[kind].to(subject)} onClick={onClose}>
            {KINDS[kind].name}
          </Link>
          <p>{message}</p>
          <p className="alert-time">
            {closedAt === null ? 'Since ' : 'Ended '}
            <Time value={closedAt ?? since} />
          </p>
        </li>
      ))}
    </ul>
  );
