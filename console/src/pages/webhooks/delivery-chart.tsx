// The last deliveries as bars, oldest first: the height is the delay of a delivery on a logarithmic scale. One that is
// not delivered has the full height.

import type { WebhookDeliveryRecord } from '@holdfast/sdk';
import { statusWords } from '../../parts/status.tsx';
import { exactTime } from '../../parts/time.tsx';
import { plural } from '../../plural.ts';
import { duration } from './figures.ts';

type Props = { readonly deliveries: readonly WebhookDeliveryRecord[] };

const HEIGHT = 48;
const STEP = 10;
const BAR = 7;
const BAR_MIN = 4;
/** From this delay on a bar has the full height. */
const DELAY_MAX_MS = 3_600_000;

const delayOf = ({ createdAt, deliveredAt }: WebhookDeliveryRecord): number | null =>
  deliveredAt === null ? null : Math.max(Date.parse(deliveredAt) - Date.parse(createdAt), 0);

const heightOf = (delivery: WebhookDeliveryRecord): number => {
  const delay = delayOf(delivery);
  if (delivery.status !== 'DELIVERED' || delay === null) return HEIGHT;
  const part = Math.log10(1 + Math.min(delay, DELAY_MAX_MS)) / Math.log10(1 + DELAY_MAX_MS);
  return Math.max(part * HEIGHT, BAR_MIN);
};

const summaryOf = (deliveries: Props['deliveries']): string => {
  const count = (status: WebhookDeliveryRecord['status']) =>
    deliveries.filter((delivery) => delivery.status === status).length;
  const parts = [`${count('DELIVERED')} delivered`, `${count('PENDING')} pending`, `${count('FAILED')} failed`];
  return `Last ${plural(deliveries.length, 'delivery', 'deliveries')}: ${parts.join(', ')}`;
};

export const DeliveryChart = ({ deliveries }: Props) => {
  if (deliveries.length === 0) return <p className="soft">No deliveries yet.</p>;
  return (
    <figure className="stack-tight">
      <svg
        className="webhooks-chart"
        role="img"
        aria-label={summaryOf(deliveries)}
        viewBox={`0 0 ${deliveries.length * STEP} ${HEIGHT}`}
        style={{ maxWidth: `${deliveries.length * STEP}px` }}
        preserveAspectRatio="none"
      >
        {deliveries.toReversed().map((delivery, place) => (
          <rect
            key={delivery.id}
            data-status={delivery.status}
            x={place * STEP}
            y={HEIGHT - heightOf(delivery)}
            width={BAR}
            height={heightOf(delivery)}
          >
            <title>{titleOf(delivery)}</title>
          </rect>
        ))}
      </svg>
      <figcaption className="soft">{summaryOf(deliveries)}. Higher bars arrived later.</figcaption>
    </figure>
  );
};

const titleOf = (delivery: WebhookDeliveryRecord): string =>
  [
    delivery.eventType,
    statusWords(delivery.status),
    exactTime(delivery.createdAt),
    ...(delivery.deliveredAt === null ? [] : [`after ${duration(delayOf(delivery))}`]),
  ].join(', ');
