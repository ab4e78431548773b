// The actions of an endpoint: send a test, change it, enable or disable it, rotate its secret, delete it.

import type { WebhookEndpointRecord } from '@holdfast/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/money/confirm.tsx';
import { type Secret, SecretDialog } from '../../parts/secret/secret-dialog.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { ChangeEndpoint } from './endpoint-dialog.tsx';
import { endpointName } from './endpoint-names.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { SendTest } from './send-test.tsx';

type Props = { readonly endpoint: WebhookEndpointRecord };
type Verb = 'test' | 'change' | 'rotate' | 'delete';

/** Why nothing can be sent; null for an enabled endpoint. */
export const disabledReason = ({ enabled, status }: WebhookEndpointRecord): string | null =>
  enabled && status !== 'DISABLED' ? null : 'The endpoint is disabled. Enable it first.';

export const EndpointActions = ({ endpoint }: Props) => {
  const writeDenial = useDenial('write');
  const [verb, setVerb] = useState<Verb | null>(null);
  const [secret, setSecret] = useState<Secret | null>(null);
  const onClose = (): void => setVerb(null);
  const onSecret = (made: Secret): void => {
    setVerb(null);
    setSecret(made);
  };
  return (
    <>
      <Button
        tone="accent"
        icon="arrow"
        reason={writeDenial ?? disabledReason(endpoint)}
        onClick={() => setVerb('test')}
      >
        Send test
      </Button>
      <Button reason={writeDenial} onClick={() => setVerb('change')}>
        Change
      </Button>
      <Switch endpoint={endpoint} />
      <Button reason={writeDenial} onClick={() => setVerb('rotate')}>
        Rotate secret
      </Button>
      <Button tone="bad" reason={writeDenial} onClick={() => setVerb('delete')}>
        Delete
      </Button>
      {verb === 'test' ? <SendTest endpoint={endpoint} onClose={onClose} /> : null}
      {verb === 'change' ? <ChangeEndpoint endpoint={endpoint} onClose={onClose} /> : null}
      {verb === 'rotate' ? <RotateSecret endpoint={endpoint} onClose={onClose} onSecret={onSecret} /> : null}
      {verb === 'delete' ? <DeleteEndpoint endpoint={endpoint} onClose={onClose} /> : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
};

/** Needs no confirmation: events that occur while the endpoint is off are sent when it is on again. */
const Switch = ({ endpoint }: Props) => {
  const client = useClient();
  const writeDenial = useDenial('write');
  const isOff = disabledReason(endpoint) !== null;
  const act = useAction({
    run: (enabled: boolean, once) => client.webhookEndpoints.update(endpoint.id, { enabled }, once),
    done: (_, enabled) =>
      enabled
        ? { title: 'Endpoint enabled', text: 'Deliveries continue where they stopped.' }
        : { title: 'Endpoint disabled', text: 'Events of this time are sent when it is enabled again.' },
    failed: isOff ? 'The endpoint was not enabled' : 'The endpoint was not disabled',
    touches: [['webhooks'], ['audit']],
  });
  return (
    <Button reason={writeDenial} isBusy={act.isPending} onClick={() => act.mutate(isOff)}>
      {isOff ? 'Enable' : 'Disable'}
    </Button>
  );
};

const DeleteEndpoint = ({ endpoint, onClose }: Props & { readonly onClose: () => void }) => {
  const client = useClient();
  const navigate = useNavigate();
  const act = useAction({
    run: () => client.webhookEndpoints.delete(endpoint.id),
    done: () => ({ title: 'Endpoint deleted', text: 'Nothing more is sent to it.' }),
    failed: 'The endpoint was not deleted',
    touches: [['webhooks', 'list'], ['audit']],
    quiet: true,
    onDone: () => void navigate('/webhooks'),
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Delete ${endpointName(endpoint)}?`}
      confirm="Delete endpoint"
      tone="bad"
      preview={{
        key: ['webhooks', endpoint.id],
        ask: () => client.webhookEndpoints.delete(endpoint.id, { dryRun: true }),
      }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        Nothing more is sent to {endpoint.url}, also no retries. Its deliveries stay in the log until their retention
        time is over. This cannot be undone.
      </p>
    </Confirm>
  );
};
