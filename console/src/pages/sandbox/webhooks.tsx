// The webhooks of the simulated payment provider, with their delivery status.

import type { SandboxState } from '@holdfast/sdk';
import { SIMULATED_WEBHOOK_EXPORT } from '../../exports/service.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { wholeList } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status, type Tone } from '../../parts/status.tsx';

type Webhook = SandboxState['webhooks'][number];

const TONES: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  waiting: 'busy',
  held: 'busy',
  dropped: 'warn',
  'given-up': 'bad',
  'no-receiver': 'bad',
};

const COLUMNS: readonly Column<Webhook>[] = [
  { name: 'Resource', phone: 'under', cell: ({ about }) => <Id value={about} copy={false} /> },
  { name: 'Event', phone: 'title', cell: ({ type }) => <span className="mono">{type}</span> },
  {
    name: 'Status',
    phone: 'value',
    cell: ({ status }) => <Status value={status} tone={TONES[status] ?? 'calm'} words={status.replaceAll('-', ' ')} />,
  },
  { name: 'Fault', cell: ({ fault }) => fault ?? <span className="soft">–</span> },
  { name: 'Attempts', phone: 'time', align: 'end', cell: ({ attempts }) => <span className="amount">{attempts}</span> },
  { name: 'Message', cell: ({ id }) => <Id value={id} link={false} /> },
];

export const WebhooksPanel = ({ webhooks }: { readonly webhooks: readonly Webhook[] }) => {
  const paged = wholeList({ data: webhooks, error: null, refetch: () => undefined });
  return (
    <Panel
      title="Webhooks sent"
      flush
      actions={<ExportButton label="Webhooks" paged={paged} exported={SIMULATED_WEBHOOK_EXPORT} />}
    >
      <DataTable
        label="Webhooks"
        columns={COLUMNS}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="No webhooks yet">The webhooks of pay-ins and payouts appear here.</Empty>}
      />
    </Panel>
  );
};
