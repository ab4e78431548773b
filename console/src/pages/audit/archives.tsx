// The months whose rows are in archive files: which ones, where, their hash, and what the last verification of the files found.

import type { VerifyAuditChainResult } from '@holdfast/sdk';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ARCHIVE_EXPORT } from '../../exports/service.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { wholeList } from '../../parts/lists/paged.ts';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient } from '../../session.tsx';

type Archive = VerifyAuditChainResult['archives'][number];

const KEY = ['archives'];

/** After a full verification the panel shows its result without another request. */
export const showVerified = (queries: QueryClient, { archives }: VerifyAuditChainResult): void => {
  queries.setQueryData(KEY, archives);
};

/** Nothing is shown of a marketplace without archives. */
export const ArchivesPanel = () => {
  const client = useClient();
  const query = useQuery({ queryKey: KEY, queryFn: async () => (await client.audit.verify()).archives });
  if (!query.data || query.data.length === 0) return null;
  const broken = query.data.filter(({ holds }) => holds === false);
  const paged = wholeList(query);
  return (
    <Panel
      title="Archived months"
      flush
      actions={<ExportButton label="Archived months" paged={paged} exported={ARCHIVE_EXPORT} />}
    >
      {broken.length > 0 ? <Broken archives={broken} /> : null}
      <DataTable label="Archived months" columns={COLUMNS} paged={paged} rowKey={({ period }) => period} empty={null} />
      <p className="soft audit-archives-note">
        The rows of these months are in files of the server. “Verify chain” reads every file; so does the proof of each
        night.
      </p>
    </Panel>
  );
};

const SHOWN_DIGITS = 12;

const COLUMNS: readonly Column<Archive>[] = [
  { name: 'Month', cell: ({ period }) => <span className="audit-action">{period}</span> },
  { name: 'Folder', cell: ({ folder }) => <code className="audit-hash">{folder}</code> },
  {
    name: 'Entries',
    phone: 'value',
    align: 'end',
    cell: ({ firstSequence, lastSequence }) => (
      <span className="amount">
        {firstSequence}–{lastSequence}
      </span>
    ),
  },
  { name: 'Manifest hash', cell: ({ manifestHash }) => <ManifestHash hash={manifestHash} /> },
  { name: 'Rows', phone: 'under', cell: ({ state }) => WHERE[state] },
  { name: 'Last check', phone: 'time', cell: (archive) => <LastCheck archive={archive} /> },
];

const WHERE: Readonly<Record<Archive['state'], string>> = {
  REMOVED: 'In files',
  SEALED: 'Being moved to files',
  RESTORING: 'Being restored',
};

const ManifestHash = ({ hash }: { readonly hash: string }) => (
  <span className="row">
    <code className="audit-hash" title={hash}>
      {hash.slice(0, SHOWN_DIGITS)}…
    </code>
    <CopyButton what="Manifest hash" tone="plain" text={() => hash}>
      Copy
    </CopyButton>
  </span>
);

const LastCheck = ({ archive: { checkedAt, holds } }: { readonly archive: Archive }) => {
  if (checkedAt === null) return <span className="soft">Not verified yet</span>;
  return (
    <span className="audit-about">
      <Status value={holds ? 'HOLDS' : 'BROKEN'} tone={holds ? 'good' : 'bad'} words={holds ? 'Valid' : 'Broken'} />
      <Time value={checkedAt} />
    </span>
  );
};

const Broken = ({ archives }: { readonly archives: readonly Archive[] }) => (
  <div className="audit-archives-note">
    <Notice title="An archive is missing or was changed" tone="bad">
      <ul>
        {archives.map(({ period, problem }) => (
          <li key={period}>
            {period}: {problem}
          </li>
        ))}
      </ul>
      <p>Put the archive back from your backup, then verify the chain again.</p>
    </Notice>
  </div>
);
