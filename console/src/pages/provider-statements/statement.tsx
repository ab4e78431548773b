// One provider statement: the chart of its result, its lines, its file, and the report as CSV or on paper.

import '../../styles/provider-statements.css';
import type { ProviderStatementReport } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { Id } from '../../parts/id.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Notice } from '../../parts/notice.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { CSV_TYPE, saveFile } from '../../parts/save-file.ts';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';
import { LinesPanel } from './lines.tsx';
import { ResultChart } from './result-chart.tsx';
import { SYSTEM_WORDS } from './words.ts';

export const Component = () => {
  const { id = '' } = useParams();
  const client = useClient();
  const query = useQuery({
    queryKey: ['provider-statements', id, 'report'],
    queryFn: () => client.providerStatements.get(id),
  });
  return (
    <>
      <PageHeader
        title="Provider statement"
        parent={{ name: 'Provider statements', to: '/provider-statements' }}
        text={<Id value={id} link={false} whole />}
        actions={<Actions id={id} compare={() => void query.refetch()} />}
      />
      <Loaded query={query} name="Provider statement">
        {(report) => <Report report={report} />}
      </Loaded>
    </>
  );
};

const Actions = ({ id, compare }: { readonly id: string; readonly compare: () => void }) => {
  const client = useClient();
  const load = useAction({
    run: () => client.providerStatements.download(id),
    done: () => null,
    failed: 'The report was not downloaded',
    forget: true,
    onDone: (bytes) => saveFile({ name: `provider-statement-${id}.csv`, parts: [bytes.slice()], type: CSV_TYPE }),
  });
  return (
    <>
      <Button icon="refresh" onClick={compare}>
        Compare again
      </Button>
      <Button icon="topups" isBusy={load.isPending} onClick={() => load.mutate()}>
        Download CSV
      </Button>
      <Button icon="orders" onClick={() => window.print()}>
        Print
      </Button>
    </>
  );
};

const Report = ({ report }: { readonly report: ProviderStatementReport }) => (
  <div className="stack statement-report">
    {report.isComplete ? null : (
      <Notice title="Not all of our records were compared" tone="warn">
        <p>The range has too many records. Upload statements of shorter ranges.</p>
      </Notice>
    )}
    <Panel title="Result">
      <ResultChart report={report} />
    </Panel>
    <LinesPanel statementId={report.id} />
    <Panel title="File">
      <Facts
        rows={[
          ['System', SYSTEM_WORDS[report.system]],
          ['Name', isolateBidi(report.fileName)],
          ['SHA-256', <Id key="hash" value={report.sha256} link={false} />],
          ['Lines', report.lines.toLocaleString('en')],
          ['From', <Time key="from" value={report.from} exact />],
          ['To, exclusive', <Time key="to" value={report.to} exact />],
          ['Tolerance', `${report.toleranceMinutes} minutes at the beginning and the end of the range`],
          ['Uploaded by', isolateBidi(report.author.name)],
          ['Uploaded', <Time key="uploaded" value={report.createdAt} exact />],
          ['Compared', <Time key="compared" value={report.comparedAt} exact />],
        ]}
      />
    </Panel>
  </div>
);
