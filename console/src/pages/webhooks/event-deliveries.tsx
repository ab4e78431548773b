// The deliveries of one event, for the page of events.

import '../../styles/webhooks.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../../parts/loaded.tsx';
import { Status } from '../../parts/status.tsx';
import { plural } from '../../plural.ts';
import { useClient } from '../../session.tsx';
import { EndpointName } from './endpoint-names.tsx';

const POLL_MS = 5_000;

export const EventDeliveries = ({ eventId }: { readonly eventId: string }) => {
  const client = useClient();
  const query = useQuery({
    queryKey: ['webhooks', 'of', eventId],
    queryFn: async () => (await client.webhookDeliveries.list({ eventId }).page()).items,
    refetchInterval: POLL_MS,
  });
  return (
    <div className="stack-tight">
      <h3>Webhook deliveries</h3>
      <Loaded query={query} name="Deliveries">
        {(deliveries) =>
          deliveries.length === 0 ? (
            <p className="soft">No endpoint got this event yet.</p>
          ) : (
            <ul className="stack-tight">
              {deliveries.map(({ id, endpointId, status, attemptCount }) => (
                <li key={id} className="row">
                  <Status value={status} />
                  <EndpointName id={endpointId} />
                  <Link to={`/webhooks/deliveries?eventId=${eventId}&delivery=${id}`}>
                    {plural(attemptCount, 'attempt')}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
};
