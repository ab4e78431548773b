// The list of provider statements, and the form to upload one.

import '../../styles/provider-statements.css';
import type { ProviderStatement } from '@holdfast/sdk';
import { STATEMENT_EXPORT } from '../../exports/provider-statements.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { UploadForm } from './upload-form.tsx';
import { SYSTEM_WORDS } from './words.ts';

const COLUMNS: readonly Column<ProviderStatement>[] = [
  { name: 'Statement', phone: 'under', cell: ({ id }) => <Id value={id} /> },
  { name: 'System', phone: 'under', cell: ({ system }) => SYSTEM_WORDS[system] },
  { name: 'File', phone: 'title', cell: ({ fileName }) => isolateBidi(fileName) },
  { name: 'From', cell: ({ from }) => <Time value={from} exact /> },
  { name: 'To', cell: ({ to }) => <Time value={to} exact /> },
  { name: 'Lines', phone: 'value', align: 'end', cell: ({ lines }) => lines.toLocaleString('en') },
  { name: 'Uploaded', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

export const Component = () => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['provider-statements', 'list'],
    list: (page) => client.providerStatements.list(page),
  });
  return (
    <>
      <PageHeader
        title="Provider statements"
        text="Statements of the payment provider and of the ledger, compared line by line with our records. Each visit compares anew."
      />
      <UploadForm />
      <Panel
        title="All statements, newest first"
        flush
        actions={<ExportButton label="Provider statements" paged={paged} exported={STATEMENT_EXPORT} />}
      >
        <DataTable
          label="Provider statements"
          columns={COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          rowTo={({ id }) => `/provider-statements/${id}`}
          empty={<Empty title="No provider statements yet">Upload the CSV file of a provider above.</Empty>}
        />
      </Panel>
    </>
  );
};
