// One webhook endpoint: its health, its settings, its actions and its deliveries.

import '../styles/webhooks.css';
import type { WebhookEndpointWithHealth } from '@holdfast/sdk';
import { Link, useParams } from 'react-router';
import { isolateBidi } from '../parts/bidi.ts';
import { CopyMark } from '../parts/copy-button.tsx';
import { Id } from '../parts/id.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Notice } from '../parts/notice.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Facts, optionalRow, Panel } from '../parts/panel.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { DeliveryLog } from './webhooks/delivery-log.tsx';
import { EndpointActions } from './webhooks/endpoint-actions.tsx';
import { endpointName } from './webhooks/endpoint-names.tsx';
import { useEndpoint } from './webhooks/endpoint-queries.ts';
import { EventBadges } from './webhooks/event-field.tsx';
import { HealthPanel } from './webhooks/health-panel.tsx';
import { SendAgainActions } from './webhooks/send-again.tsx';

export const Component = () => {
  const { id = '' } = useParams();
  const query = useEndpoint(id);
  return (
    <>
      <PageHeader
        title={query.data ? endpointName(query.data) : 'Webhook endpoint'}
        badge={query.data ? <Status value={query.data.status} /> : null}
        parent={{ name: 'Webhooks', to: '/webhooks' }}
        text={<Id value={id} link={false} whole />}
        actions={query.data ? <EndpointActions endpoint={query.data} /> : null}
      />
      <Loaded query={query} name="Endpoint">
        {(endpoint) => <EndpointBody endpoint={endpoint} />}
      </Loaded>
    </>
  );
};

type BodyProps = { readonly endpoint: WebhookEndpointWithHealth };

const EndpointBody = ({ endpoint }: BodyProps) => (
  <>
    <Advice endpoint={endpoint} />
    <div className="webhooks-record">
      <HealthPanel endpoint={endpoint} />
      <Details endpoint={endpoint} />
    </div>
    <DeliveryLog endpointId={endpoint.id} actions={<SendAgainActions endpoint={endpoint} />} />
  </>
);

const Details = ({ endpoint }: BodyProps) => {
  const { id, url, publicKey, previousSecretExpiresAt } = endpoint;
  return (
    <Panel title="Settings">
      <Facts
        rows={[
          [
            'Address',
            <span key="url">
              <span className="webhooks-name">{isolateBidi(url)}</span> <CopyMark text={url} />
            </span>,
          ],
          ...optionalRow(endpoint.description, ['Description', isolateBidi(endpoint.description ?? '')]),
          ['Events', <EventBadges key="events" events={endpoint.events} whole />],
          ['Payload', endpoint.payload === 'full' ? 'Full: the event as on the stream' : 'Thin: IDs only'],
          ['Signature', endpoint.signature === 'v1' ? 'v1: HMAC-SHA256' : 'v1a: ed25519'],
          ...optionalRow(publicKey, ['Public key', <Id key="key" value={publicKey} link={false} />]),
          ...optionalRow(previousSecretExpiresAt, [
            'Previous secret until',
            <Time key="previous" value={previousSecretExpiresAt} exact />,
          ]),
          ['Created', <Time key="created" value={endpoint.createdAt} exact />],
          ['Updated', <Time key="updated" value={endpoint.updatedAt} exact />],
          [
            'Changes',
            <Link key="audit" to={`/audit?resourceId=${id}`}>
              Audit entries
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
};

/** Why nothing or little is sent, and what to do. */
const Advice = ({ endpoint: { status, disabledReason, health } }: BodyProps) => {
  if (status === 'FAILING') {
    return (
      <Notice title="The last deliveries failed" tone="bad">
        <p>
          Failing since <Time value={health.failingSince} exact />. Only a few deliveries are tried until one succeeds.
          Open a delivery below to see the answer of the receiver.
        </p>
      </Notice>
    );
  }
  if (status !== 'DISABLED' || disabledReason === null) return null;
  return (
    <Notice title="Nothing is sent to this endpoint" tone="warn">
      <p>{REASONS[disabledReason]} Events that wait are sent once it is enabled.</p>
    </Notice>
  );
};

const REASONS: Readonly<Record<NonNullable<WebhookEndpointWithHealth['disabledReason']>, string>> = {
  REQUESTED: 'It was disabled on request.',
  GONE: 'The receiver answered 410: it no longer wants events.',
  FAILED_FOR_DAYS: 'Its deliveries failed for days. Repair the receiver, enable the endpoint, then send a test.',
};
