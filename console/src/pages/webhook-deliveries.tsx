// The log of all webhook deliveries of this marketplace.

import '../styles/webhooks.css';
import { PageHeader } from '../parts/page-header.tsx';
import { DeliveryLog } from './webhooks/delivery-log.tsx';

export const Component = () => (
  <>
    <PageHeader
      title="Webhook deliveries"
      parent={{ name: 'Webhooks', to: '/webhooks' }}
      text="Each event for each endpoint, with every attempt to send it."
    />
    <DeliveryLog />
  </>
);
