// The notes about a record, newest first, with author and time, and the form for another one. A note never changes.

import '../styles/corrections.css';
import type { CreateNoteInput, Note } from '@holdfast/sdk';
import { useState } from 'react';
import { NOTE_EXPORT } from '../exports/records.ts';
import { useClient, useDenial } from '../session.tsx';
import { useAction } from './action.ts';
import { isolateBidi } from './bidi.ts';
import { Button } from './button.tsx';
import { TextArea } from './fields.tsx';
import { ExportButton } from './lists/export-button.tsx';
import { usePaged } from './lists/paged.ts';
import { ErrorNotice } from './notice.tsx';
import { Panel } from './panel.tsx';
import { Time } from './time.tsx';

type About = Pick<CreateNoteInput, 'resourceType' | 'resourceId'>;

export const NotesPanel = (about: About) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['notes', about.resourceType, about.resourceId],
    list: (page) => client.notes.list({ ...about, ...page }),
  });
  return (
    <Panel
      title="Notes"
      actions={paged.rows?.length ? <ExportButton label="Notes" paged={paged} exported={NOTE_EXPORT} /> : null}
    >
      <div className="stack">
        <NoteForm about={about} />
        {paged.error && paged.rows === null ? (
          <ErrorNotice title="Notes could not be loaded" error={paged.error} again={paged.again} />
        ) : null}
        {paged.rows?.length === 0 ? <p className="soft">No notes yet.</p> : <NoteList notes={paged.rows ?? []} />}
        {paged.more ? (
          <Button onClick={paged.more} isBusy={paged.isLoadingMore}>
            Older notes
          </Button>
        ) : null}
      </div>
    </Panel>
  );
};

const NoteList = ({ notes }: { readonly notes: readonly Note[] }) => (
  <ol className="notes-list" aria-label="Notes, newest first">
    {notes.map(({ id, text, author, createdAt }) => (
      <li key={id}>
        <p className="notes-text">{isolateBidi(text)}</p>
        <p className="soft">
          {isolateBidi(author.name)}, <Time value={createdAt} exact />
        </p>
      </li>
    ))}
  </ol>
);

const NoteForm = ({ about }: { readonly about: About }) => {
  const client = useClient();
  const denial = useDenial('write');
  const [text, setText] = useState('');
  const add = useAction({
    run: (_, once) => client.notes.create({ ...about, text: text.trim() }, once),
    done: () => ({ title: 'Note added' }),
    failed: 'The note was not added',
    touches: [['notes'], ['orders']],
    onDone: () => setText(''),
  });
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !denial) add.mutate();
      }}
    >
      <TextArea
        label="New note"
        hint="Other operators see it. It cannot be changed or deleted."
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="row">
        <Button
          type="submit"
          isBusy={add.isPending}
          reason={denial ?? (text.trim() === '' ? 'Write a note first.' : null)}
        >
          Add note
        </Button>
      </div>
    </form>
  );
};
