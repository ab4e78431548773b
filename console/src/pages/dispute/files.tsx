// The files that were submitted as evidence: size, SHA-256 hash and download, and the form for another file. Anyone may have made a file:
// the console downloads it and never shows it.

import type { DisputeWithOrder, Evidence, SubmitEvidenceInput } from '@holdfast/sdk';
import { useRef, useState } from 'react';
import { EVIDENCE_EXPORT } from '../../exports/records.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { saveFile } from '../../parts/save-file.ts';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { PARTY_OPTIONS, PARTY_WORDS } from './parties.ts';

type Props = { readonly dispute: Pick<DisputeWithOrder, 'id'> };

export const FilesPanel = ({ dispute: { id } }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['disputes', id, 'evidence'],
    list: (page) => client.disputes.evidence(id, page),
  });
  return (
    <Panel title="Files" flush actions={<ExportButton label="Files" paged={paged} exported={EVIDENCE_EXPORT} />}>
      <DataTable
        label="Files"
        columns={COLUMNS}
        paged={paged}
        rowKey={(file) => file.id}
        empty={<Empty title="No files yet">Files of the parties and of operators appear here.</Empty>}
      />
      <SubmitForm disputeId={id} />
    </Panel>
  );
};

const COLUMNS: readonly Column<Evidence>[] = [
  {
    name: 'File',
    cell: ({ fileName, description }) => (
      <span className="dispute-file">
        <strong>{isolateBidi(fileName)}</strong>
        {description ? <span className="soft">{isolateBidi(description)}</span> : null}
      </span>
    ),
  },
  { name: 'From', phone: 'under', cell: ({ submittedBy }) => PARTY_WORDS[submittedBy] },
  { name: 'Size', phone: 'under', align: 'end', cell: ({ sizeBytes }) => sizeWords(sizeBytes) },
  { name: 'SHA-256', cell: ({ sha256 }) => <Id value={sha256} link={false} /> },
  { name: 'Time', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Actions', phone: 'value', align: 'end', cell: (file) => <Download file={file} /> },
];

const KIB = 1024;

const sizeWords = (bytes: number): string =>
  bytes < KIB ? `${bytes} bytes` : `${Math.ceil(bytes / KIB).toLocaleString('en')} KiB`;

const Download = ({ file }: { readonly file: Evidence }) => {
  const client = useClient();
  const load = useAction({
    run: () => client.disputes.downloadEvidence(file.disputeId, file.id),
    done: () => null,
    failed: 'The file was not downloaded',
    forget: true,
    // Never with its own type: no browser may open it as a page.
    onDone: (bytes) => saveFile({ name: file.fileName, parts: [bytes.slice()], type: 'application/octet-stream' }),
  });
  return (
    <Button
      icon="topups"
      isBusy={load.isPending}
      aria-label={`Download ${file.fileName}`}
      onClick={() => load.mutate()}
    >
      Download
    </Button>
  );
};

const SubmitForm = ({ disputeId }: { readonly disputeId: string }) => {
  const client = useClient();
  const denial = useDenial('write');
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [by, setBy] = useState<SubmitEvidenceInput['submittedBy']>('OPERATOR');
  const [description, setDescription] = useState('');
  const submit = useAction({
    run: async (_, once) =>
      client.disputes.submitEvidence(
        disputeId,
        {
          fileName: file!.name,
          contentType: file!.type || 'application/octet-stream',
          content: new Uint8Array(await file!.arrayBuffer()),
          submittedBy: by,
          ...(description.trim() ? { description: description.trim() } : {}),
        },
        once,
      ),
    done: ({ sha256 }) => ({ title: 'File submitted', text: `SHA-256 ${sha256}` }),
    failed: 'The file was not submitted',
    touches: [['disputes'], ['orders']],
    onDone() {
      setFile(null);
      setDescription('');
      if (input.current) input.current.value = '';
    },
  });
  return (
    <form
      className="panel-body stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (file && !denial) submit.mutate();
      }}
    >
      <div className="filters" data-open>
        <TextField
          ref={input}
          type="file"
          label="New file"
          onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        />
        <SelectField
          label="Submitted by"
          value={by}
          options={PARTY_OPTIONS}
          onChange={({ target: { value } }) => setBy(value as typeof by)}
        />
        <TextField
          wide
          label="Description"
          placeholder="Optional"
          value={description}
          onChange={({ target: { value } }) => setDescription(value)}
        />
        <Button type="submit" isBusy={submit.isPending} reason={denial ?? (file ? null : 'Choose a file first.')}>
          Submit file
        </Button>
      </div>
      <p className="soft">A file cannot be changed or deleted. Its hash is in the audit trail.</p>
    </form>
  );
};
