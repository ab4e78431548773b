// The list of endpoints. The figures of each endpoint are requested for its row: a marketplace has at most 20.

import type { WebhookEndpointRecord, WebhookHealth } from '@holdfast/sdk';
import { Link } from 'react-router';
import { ENDPOINT_EXPORT } from '../../exports/service.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { wholeList } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useEndpoint, useEndpoints } from './endpoint-queries.ts';
import { EventBadges } from './event-field.tsx';
import { counted, percent } from './figures.ts';

export const EndpointTable = () => {
  const paged = wholeList(useEndpoints());
  return (
    <Panel
      title="Endpoints"
      flush
      actions={<ExportButton label="Endpoints" paged={paged} exported={ENDPOINT_EXPORT} />}
    >
      <DataTable
        label="Endpoints"
        columns={COLUMNS}
        paged={paged}
        rowKey={({ id }) => id}
        rowTo={({ id }) => `/webhooks/${id}`}
        empty={
          <Empty title="No endpoints yet">
            Create one with the address of your receiver. It gets each event of this marketplace as a signed POST
            request.
          </Empty>
        }
      />
    </Panel>
  );
};

const COLUMNS: readonly Column<WebhookEndpointRecord>[] = [
  { name: 'Address', cell: (endpoint) => <Address endpoint={endpoint} /> },
  { name: 'Events', phone: 'under', cell: ({ events }) => <EventBadges events={events} /> },
  { name: 'Status', phone: 'value', cell: ({ status }) => <Status value={status} /> },
  {
    name: 'Success rate',
    phone: 'time',
    align: 'end',
    cell: ({ id }) => <Health id={id} show={({ successRate }) => percent(successRate)} />,
  },
  {
    name: 'Backlog',
    align: 'end',
    cell: ({ id }) => <Health id={id} show={({ backlog, pending }) => counted(backlog + pending)} />,
  },
  { name: 'Created', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

const Address = ({ endpoint: { id, url, description } }: { readonly endpoint: WebhookEndpointRecord }) => (
  <span className="webhooks-address">
    <Link to={`/webhooks/${id}`} className="webhooks-name">
      {isolateBidi(url)}
    </Link>
    {description ? <span className="soft webhooks-name">{isolateBidi(description)}</span> : null}
  </span>
);

type HealthProps = { readonly id: string; readonly show: (health: WebhookHealth) => string };

/** Both columns share one request. */
const Health = ({ id, show }: HealthProps) => {
  const { data } = useEndpoint(id);
  return <span className="amount">{data ? show(data.health) : '–'}</span>;
};
