// The health of an endpoint: figures of the last 24 hours, and its last deliveries as a chart.

import type { WebhookEndpointWithHealth } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Figure, Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { counted, duration, percent } from './figures.ts';

type Props = { readonly endpoint: WebhookEndpointWithHealth };

const CHART_MAX = 60;
const POLL_MS = 5_000;

export const HealthPanel = ({ endpoint: { id, health } }: Props) => {
  const client = useClient();
  const recent = useQuery({
    queryKey: ['webhooks', 'recent', id],
    queryFn: async () => (await client.webhookDeliveries.list({ endpointId: id, limit: CHART_MAX }).page()).items,
    refetchInterval: POLL_MS,
  });
  const { deliveries, durationMs, delayMs, missed } = health;
  return (
    <Panel title="Health, last 24 hours">
      <div className="stack">
        <div className="webhooks-figures">
          <Figure name="Success rate">{percent(health.successRate)}</Figure>
          <Figure name="Deliveries">{deliveries.toLocaleString('en')}</Figure>
          <Figure name="Backlog">{counted(health.backlog)}</Figure>
          <Figure name="Waiting for a retry">{counted(health.pending)}</Figure>
          <Figure name="Given up">{counted(health.failed)}</Figure>
          {missed > 0 ? <Figure name="Missed">{missed.toLocaleString('en')}</Figure> : null}
          <Figure name="Answer time, p50 / p99">
            {duration(durationMs.p50)} / {duration(durationMs.p99)}
          </Figure>
          <Figure name="Delay, p50 / p99">
            {duration(delayMs.p50)} / {duration(delayMs.p99)}
          </Figure>
          <Figure name="Last success">
            <Time value={health.lastSuccessAt} />
          </Figure>
          <Figure name="Last failure">
            <Time value={health.lastFailureAt} />
          </Figure>
        </div>
        <DeliveryChart deliveries={recent.data ?? []} />
      </div>
    </Panel>
  );
};
