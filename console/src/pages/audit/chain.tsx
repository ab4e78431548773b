// The check of the audit chain: every hash is computed again from the first entry on, when somebody asks for it.

import type { VerifyAuditChainResult } from '@holdfast/sdk';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { Facts, Panel } from '../../parts/panel.tsx';
import { useReason } from '../../parts/rights.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

export const ChainPanel = () => {
  const client = useClient();
  const reason = useReason('read');
  // Only when it is asked for: it reads every entry that there is.
  const query = useQuery({
    queryKey: ['chain'],
    enabled: false,
    queryFn: async () => ({ report: await client.audit.verify(), at: new Date().toISOString() }),
  });
  return (
    <Panel
      title="The chain"
      actions={
        <Button
          icon="audit"
          tone="accent"
          reason={reason}
          isBusy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          {query.data ? 'Verify again' : 'Verify the chain'}
        </Button>
      }
    >
      <div className="stack" role="status">
        {query.isError && !query.isFetching ? (
          <Trouble title="The chain could not be verified" error={query.error} />
        ) : query.data ? (
          <Verdict report={query.data.report} at={query.data.at} />
        ) : (
          <p className="soft">
            Each entry carries a hash of itself and of the one before. Verifying computes all of them again and finds
            the first entry that was changed, removed or put in.
          </p>
        )}
      </div>
    </Panel>
  );
};

type VerdictProps = { readonly report: VerifyAuditChainResult; readonly at: string };

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
            words={report.holds ? 'Holds' : `Broken at entry ${report.brokenAt}`}
          />,
        ],
        [report.holds ? 'Entries checked' : 'Entries that fit', report.entries.toLocaleString('en')],
        ['Last hash', <LastHash key="hash" hash={report.lastHash} />],
        ['Verified', <Time key="at" value={at} />],
      ]}
    />
    {report.holds ? null : (
      <Notice title={`Entry ${report.brokenAt} is not what was written`} tone="bad">
        <p>
          Somebody has changed the database past the service. Keep a copy of it as it is, compare entry{' '}
          {report.brokenAt} with a backup, and find out who had access. The books are proved apart from this: see Home.
        </p>
      </Notice>
    )}
  </>
);

const LastHash = ({ hash }: { readonly hash: string }) => {
  if (hash === '') return <span className="soft">none: there is no entry yet</span>;
  return (
    <span className="row">
      <code className="audit-hash">{hash}</code>
      <CopyButton what="The hash" tone="plain" text={() => hash}>
        Copy
      </CopyButton>
    </span>
  );
};
