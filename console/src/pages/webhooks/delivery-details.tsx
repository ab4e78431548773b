// One delivery with its attempts, and the button that sends it again.

import type { WebhookDeliveryWithAttempts } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { Aside } from '../../parts/aside.tsx';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Facts, optionalRow } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { justBefore } from '../events/event-text.ts';
import { Attempts } from './attempts.tsx';
import { EndpointName } from './endpoint-names.tsx';

type Props = { readonly id: string; readonly onClose: () => void };

const POLL_MS = 2_000;

export const DeliveryDetails = ({ id, onClose }: Props) => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['webhooks', 'delivery', id],
    queryFn: () => client.webhookDeliveries.get(id),
    refetchInterval: POLL_MS,
  });
  return (
    <Aside
      title={query.data?.eventType ?? 'Delivery'}
      of={id}
      onClose={onClose}
      actions={query.data ? <Retry delivery={query.data} /> : null}
    >
      <Loaded query={query} name="Delivery">
        {(delivery) => <Details delivery={delivery} />}
      </Loaded>
    </Aside>
  );
};

const Details = ({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) => {
  const { id, endpointId, eventId, eventType, aggregateId, createdAt, deliveredAt, nextAttemptAt } = delivery;
  const isOnStream = eventType !== 'webhook.test';
  return (
    <>
      <Facts
        rows={[
          ['Status', <Status key="status" value={delivery.status} />],
          ['Endpoint', <EndpointName key="endpoint" id={endpointId} />],
          ...optionalRow(isOnStream ? aggregateId : null, ['Resource', <Id key="about" value={aggregateId} />]),
          ['Event ID', <Id key="event" value={eventId} link={false} />],
          ['Delivery ID', <Id key="id" value={id} link={false} />],
          ['Event time', <Time key="at" value={createdAt} exact />],
          ...optionalRow(deliveredAt, ['Delivered', <Time key="delivered" value={deliveredAt} exact />]),
          ...optionalRow(nextAttemptAt, ['Next attempt', <Time key="next" value={nextAttemptAt} exact />]),
          ['Attempts', delivery.attemptCount],
        ]}
      />
      {isOnStream ? (
        <p>
          <Link to={`/events?since=${encodeURIComponent(justBefore(createdAt))}&event=${eventId}`}>View event</Link>
        </p>
      ) : null}
      <div className="stack-tight">
        <h3>Attempts</h3>
        <Attempts attempts={delivery.attempts} />
      </div>
    </>
  );
};

const Retry = ({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const act = useAction({
    run: (_, once) => client.webhookDeliveries.retry(delivery.id, once),
    done: () => ({ title: 'The delivery is tried again', text: 'Its answer appears here in a moment.' }),
    failed: 'The delivery is not tried again',
    touches: [['webhooks'], ['audit']],
  });
  return (
    <Button icon="refresh" reason={writeDenial} isBusy={act.isPending} onClick={() => act.mutate()}>
      {delivery.status === 'DELIVERED' ? 'Send again' : 'Retry now'}
    </Button>
  );
};
