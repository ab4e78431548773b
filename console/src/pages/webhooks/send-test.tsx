// Sends a test event on request, and shows the answer of the receiver.

import type { WebhookDeliveryWithAttempts, WebhookEndpointRecord } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { Attempts } from './attempts.tsx';

type Props = { readonly endpoint: WebhookEndpointRecord; readonly onClose: () => void };

/** The answer is usually there within a second. */
const POLL_MS = 500;

export const SendTest = ({ endpoint, onClose }: Props) => {
  const client = useClient();
  const act = useAction({
    run: (_, once) => client.webhookEndpoints.test(endpoint.id, once),
    done: () => null,
    failed: 'The test was not sent',
    touches: [['webhooks'], ['audit']],
    quiet: true,
  });
  const deliveryId = act.data?.deliveryId;
  const answer = useQuery({
    queryKey: ['webhooks', 'delivery', deliveryId],
    queryFn: () => client.webhookDeliveries.get(deliveryId!),
    enabled: deliveryId !== undefined,
    refetchInterval: ({ state }) => (state.data && state.data.attempts.length > 0 ? false : POLL_MS),
  });
  const isWaiting = act.isPending || (act.isSuccess && !answer.data?.attempts.length && !answer.isError);
  return (
    <Dialog isOpen onClose={onClose} title="Send test">
      <div className="stack">
        <p>
          Sends one event of the type <code>webhook.test</code> to {endpoint.url}, whatever its filter is. The event is
          not on the event stream.
        </p>
        {act.error ? <ErrorNotice title="The test was not sent" error={act.error} /> : null}
        {answer.error ? <ErrorNotice title="The answer could not be loaded" error={answer.error} /> : null}
        <div role="status">{isWaiting ? <p className="soft">Waiting for the receiver…</p> : null}</div>
        {answer.data && answer.data.attempts.length > 0 ? <Answered delivery={answer.data} /> : null}
      </div>
      <div className="dialog-actions">
        {deliveryId ? <Link to={`/webhooks/deliveries?delivery=${deliveryId}`}>Show in the log</Link> : null}
        <Button onClick={onClose}>Close</Button>
        <Button tone="accent" isBusy={isWaiting} onClick={() => act.mutate()}>
          {act.isIdle ? 'Send test event' : 'Send again'}
        </Button>
      </div>
    </Dialog>
  );
};

const Answered = ({ delivery }: { readonly delivery: WebhookDeliveryWithAttempts }) => (
  <>
    {delivery.status === 'DELIVERED' ? (
      <Notice title="Delivered" tone="good" />
    ) : (
      <Notice title="Not delivered" tone="bad">
        <p>
          {delivery.nextAttemptAt ? (
            <>
              The next attempt is at <Time value={delivery.nextAttemptAt} exact />.
            </>
          ) : (
            'It is not tried again.'
          )}
        </p>
      </Notice>
    )}
    <Attempts attempts={delivery.attempts} />
  </>
);
