// The log of deliveries, newest first. It is polled, its filters are in the URL, and a delivery opens beside the list.

import { EVENT_TYPES, type ListWebhookDeliveriesQuery, type WebhookDeliveryRecord } from '@holdfast/sdk';
import { type ReactNode, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { DELIVERY_EXPORT } from '../../exports/service.ts';
import { WithAside } from '../../parts/aside.tsx';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { ChoiceFilter, FilterBar, TextFilter, useFilters } from '../../parts/lists/filters.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { RangeFilter } from '../../parts/lists/range-filter.tsx';
import { CREATED, CREATED_NAMES, withMoments } from '../../parts/lists/ranges.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { Answer } from './attempts.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { EndpointName, useEndpointOptions } from './endpoint-names.tsx';

type Props = {
  /** Only deliveries to this endpoint; absent on the page of all deliveries. */
  readonly endpointId?: string;
  readonly actions?: ReactNode;
};

/** Deliveries emit no events. */
const POLL_MS = 2_000;
const NAMES = ['endpointId', 'eventId', 'eventType', 'status', ...CREATED_NAMES] as const;
const STATUSES = ['PENDING', 'DELIVERED', 'FAILED'];
const TYPES = [...EVENT_TYPES, 'webhook.test'].map((type) => ({ value: type, name: type }));

export const DeliveryLog = ({ endpointId, actions }: Props) => {
  const client = useClient();
  const filters = useFilters(NAMES);
  const choice = useFilters(['delivery'] as const);
  const [search] = useSearchParams();
  const list = useRef<HTMLDivElement>(null);
  const query = {
    ...withMoments(filters.values, CREATED),
    ...(endpointId ? { endpointId } : {}),
  } as ListWebhookDeliveriesQuery;
  const paged = usePaged({
    queryKey: ['webhooks', 'deliveries', query],
    everyMs: POLL_MS,
    list: (page) => client.webhookDeliveries.list({ ...query, ...page }),
  });
  const chosenId = choice.values.delivery;
  const placeOf = ({ id }: WebhookDeliveryRecord): string => {
    const next = new URLSearchParams(search);
    next.set('delivery', id);
    return `?${next}`;
  };
  const close = (): void => {
    choice.clear();
    list.current?.querySelector<HTMLElement>('[aria-current="true"]')?.focus({ preventScroll: true });
  };
  return (
    <>
      <LogFilters filters={filters} hasEndpoint={endpointId === undefined} />
      <WithAside aside={chosenId ? <DeliveryDetails id={chosenId} onClose={close} /> : null}>
        <div ref={list}>
          <Panel
            title="Deliveries, newest first"
            flush
            actions={
              <>
                {actions}
                <ExportButton label="Deliveries" paged={paged} exported={DELIVERY_EXPORT} />
              </>
            }
          >
            <DataTable
              label="Deliveries"
              columns={columnsOf({ placeOf, chosenId, hasEndpoint: endpointId === undefined })}
              paged={paged}
              rowKey={({ id }) => id}
              rowTo={placeOf}
              empty={<NoDeliveries isFiltered={!filters.isEmpty} onClear={filters.clear} />}
            />
          </Panel>
        </div>
      </WithAside>
    </>
  );
};

type FilterProps = {
  readonly filters: ReturnType<typeof useFilters<(typeof NAMES)[number]>>;
  readonly hasEndpoint: boolean;
};

const LogFilters = ({ filters, hasEndpoint }: FilterProps) => {
  const endpoints = useEndpointOptions();
  return (
    <FilterBar filters={filters} list={hasEndpoint ? 'deliveries' : 'endpoint-deliveries'}>
      {hasEndpoint ? <ChoiceFilter filters={filters} name="endpointId" label="Endpoint" options={endpoints} /> : null}
      <ChoiceFilter filters={filters} name="status" label="Status" options={STATUSES} />
      <ChoiceFilter filters={filters} name="eventType" label="Event type" options={TYPES} />
      <TextFilter filters={filters} name="eventId" label="Event ID" placeholder="evt_…" />
      <RangeFilter filters={filters} bounds={CREATED} label="Created" />
    </FilterBar>
  );
};

type ColumnOptions = {
  readonly placeOf: (delivery: WebhookDeliveryRecord) => string;
  readonly chosenId: string | undefined;
  readonly hasEndpoint: boolean;
};

/** Fewer columns while a delivery is open beside the list. */
const columnsOf = ({ placeOf, chosenId, hasEndpoint }: ColumnOptions): readonly Column<WebhookDeliveryRecord>[] => [
  {
    name: 'Event',
    cell: (delivery) => (
      <Link
        to={placeOf(delivery)}
        replace
        preventScrollReset
        aria-current={delivery.id === chosenId || undefined}
        className="webhooks-type"
      >
        {delivery.eventType}
      </Link>
    ),
  },
  ...(hasEndpoint ? [ENDPOINT] : []),
  { name: 'Status', phone: 'value', cell: ({ status }) => <Status value={status} /> },
  ...(chosenId ? [] : MORE_COLUMNS),
  { name: 'Time', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

const ENDPOINT: Column<WebhookDeliveryRecord> = {
  name: 'Endpoint',
  phone: 'under',
  cell: ({ endpointId }) => <EndpointName id={endpointId} />,
};

const MORE_COLUMNS: readonly Column<WebhookDeliveryRecord>[] = [
  {
    name: 'Attempts',
    align: 'end',
    cell: ({ attemptCount }) => <span className="amount">{attemptCount}</span>,
  },
  { name: 'Last answer', align: 'end', cell: ({ lastStatus }) => <Answer status={lastStatus} /> },
  { name: 'Next attempt', align: 'end', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> },
  { name: 'Delivered', align: 'end', cell: ({ deliveredAt }) => <Time value={deliveredAt} /> },
];

const NoDeliveries = ({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) =>
  isFiltered ? (
    <Empty title="No matching deliveries" action={<Button onClick={onClear}>Clear filters</Button>}>
      An event ID must be complete. Deliveries are deleted when their retention time is over.
    </Empty>
  ) : (
    <Empty title="No deliveries yet">Each event that is sent to an endpoint appears here within seconds.</Empty>
  );
