// The check of the audit chain. On request the server computes every hash again, from the first entry on.

import type { VerifyAuditChainResult } from '@holdfast/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { showVerified } from './archives.tsx';

export const ChainPanel = () => {
  const client = useClient();
  const queries = useQueryClient();
  const reason = useDenial('read');
  // Runs only on request, because it reads every entry.
  const query = useQuery({
    queryKey: ['chain'],
    enabled: false,
    queryFn: async () => {
      const report = await client.audit.verify({ full: true });
      showVerified(queries, report);
      return { report, at: new Date().toISOString() };
    },
  });
  return (
    <Panel
      title="Audit chain"
      actions={
        <Button
          icon="audit"
          tone="accent"
          reason={reason}
          isBusy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {query.data ? 'Verify again' : 'Verify chain'}
        </Button>
      }
    >
      <div className="stack" role="status">
        {query.isError && !query.isFetching ? (
          <ErrorNotice title="The audit chain could not be verified" error={query.error} />
        ) : query.data ? (
          <Verdict report={query.data.report} at={query.data.at} />
        ) : (
          <p className="soft">
            Each entry contains a hash of itself and of the previous entry. The check computes all hashes again and
            finds the first entry that was changed, removed or inserted.
          </p>
        )}
      </div>
    </Panel>
  );
};

type VerdictProps = { readonly report: VerifyAuditChainResult; readonly at: string };

const wordsOf = ({ holds, brokenAt }: VerifyAuditChainResult): string => {
  if (holds) return 'Valid';
  return brokenAt === null ? 'An archive is broken' : `Broken at entry ${brokenAt}`;
};

const Verdict = ({ report, at }: VerdictProps) => (
  <>
    <Facts
      rows={[
        [
          'Chain',
          <Status
            key="chain"
            value={report.holds ? 'HOLDS' : 'BROKEN'}
            tone={report.holds ? 'good' : 'bad'}
            words={wordsOf(report)}
          />,
        ],
        [report.brokenAt === null ? 'Entries checked' : 'Valid entries', report.entries.toLocaleString('en')],
        ['Last hash', <LastHash key="hash" hash={report.lastHash} />],
        ['Verified', <Time key="at" value={at} />],
      ]}
    />
    {report.brokenAt === null ? null : (
      <Notice title={`Entry ${report.brokenAt} was changed after it was written`} tone="bad">
        <p>
          The database was changed outside the service. Keep a copy of the database as it is, compare entry{' '}
          {report.brokenAt} with a backup, and find out who had access. The proof of balances is independent of this
          check: see Home.
        </p>
      </Notice>
    )}
  </>
);

const LastHash = ({ hash }: { readonly hash: string }) => {
  if (hash === '') return <span className="soft">none: no entries yet</span>;
  return (
    <span className="row">
      <code className="audit-hash">{hash}</code>
      <CopyButton what="Hash" tone="plain" text={() => hash}>
        Copy
      </CopyButton>
    </span>
  );
};
