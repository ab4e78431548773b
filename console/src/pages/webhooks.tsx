// The webhook endpoints of this marketplace: where its events are sent, and whether they arrive.

import '../styles/webhooks.css';
import { useState } from 'react';
import { Link } from 'react-router';
import { Button } from '../parts/button.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { type Secret, SecretDialog } from '../parts/secret/secret-dialog.tsx';
import { useDenial, useSession } from '../session.tsx';
import { CreateEndpoint } from './webhooks/endpoint-dialog.tsx';
import { EndpointTable } from './webhooks/endpoint-table.tsx';

export const Component = () => {
  const { me } = useSession();
  const writeDenial = useDenial('write');
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<Secret | null>(null);
  const onSecret = (made: Secret): void => {
    setCreating(false);
    setSecret(made);
  };
  return (
    <>
      <PageHeader
        title="Webhooks"
        text={`Events of ${me.marketplaceId} are sent to these endpoints as signed requests.`}
        actions={
          <>
            <Link to="/webhooks/deliveries" className="button">
              All deliveries
            </Link>
            <Button tone="accent" icon="webhooks" reason={writeDenial} onClick={() => setCreating(true)}>
              Create endpoint
            </Button>
          </>
        }
      />
      <EndpointTable />
      {isCreating ? <CreateEndpoint onClose={() => setCreating(false)} onSecret={onSecret} /> : null}
      {secret ? <SecretDialog secret={secret} onClose={() => setSecret(null)} /> : null}
    </>
  );
};
