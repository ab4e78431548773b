// The messages between the parties of a dispute and the operators, newest first, and the form for another one until it is resolved.

import '../../styles/corrections.css';
import type { DisputeMessage, DisputeWithOrder, SendDisputeMessageInput } from '@holdfast/sdk';
import { useState } from 'react';
import { MESSAGE_EXPORT } from '../../exports/records.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextArea } from '../../parts/fields.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { PARTY_OPTIONS, PARTY_WORDS } from './parties.ts';

type Props = { readonly dispute: Pick<DisputeWithOrder, 'id' | 'status'> };

export const MessagesPanel = ({ dispute: { id, status } }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['disputes', id, 'messages'],
    list: (page) => client.disputes.messages(id, page),
  });
  const rows = paged.rows ?? [];
  return (
    <Panel
      title="Messages"
      actions={rows.length > 0 ? <ExportButton label="Messages" paged={paged} exported={MESSAGE_EXPORT} /> : null}
    >
      <div className="stack">
        {status === 'RESOLVED' ? null : <MessageForm disputeId={id} />}
        {paged.error && paged.rows === null ? (
          <ErrorNotice title="Messages could not be loaded" error={paged.error} again={paged.again} />
        ) : null}
        {rows.length === 0 ? <p className="soft">No messages yet.</p> : <MessageList messages={rows} />}
        {paged.more ? (
          <Button onClick={paged.more} isBusy={paged.isLoadingMore}>
            Older messages
          </Button>
        ) : null}
      </div>
    </Panel>
  );
};

const MessageList = ({ messages }: { readonly messages: readonly DisputeMessage[] }) => (
  <ol className="notes-list" aria-label="Messages, newest first">
    {messages.map(({ id, from, text, author, createdAt }) => (
      <li key={id}>
        <p>
          <strong>{PARTY_WORDS[from]}</strong>
        </p>
        <p className="notes-text">{isolateBidi(text)}</p>
        <p className="soft">
          sent by {isolateBidi(author.name)}, <Time value={createdAt} exact />
        </p>
      </li>
    ))}
  </ol>
);

const MessageForm = ({ disputeId }: { readonly disputeId: string }) => {
  const client = useClient();
  const denial = useDenial('write');
  const [from, setFrom] = useState<SendDisputeMessageInput['from']>('OPERATOR');
  const [text, setText] = useState('');
  const send = useAction({
    run: (_, once) => client.disputes.sendMessage(disputeId, { from, text: text.trim() }, once),
    done: () => ({ title: 'Message sent' }),
    failed: 'The message was not sent',
    touches: [['disputes'], ['orders']],
    onDone: () => setText(''),
  });
  return (
    <form
      className="stack-tight"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '' && !denial) send.mutate();
      }}
    >
      <SelectField
        label="In the name of"
        value={from}
        options={PARTY_OPTIONS}
        onChange={({ target: { value } }) => setFrom(value as typeof from)}
      />
      <TextArea label="New message" value={text} onChange={({ target: { value } }) => setText(value)} />
      <div className="row">
        <Button
          type="submit"
          isBusy={send.isPending}
          reason={denial ?? (text.trim() === '' ? 'Write a message first.' : null)}
        >
          Send message
        </Button>
      </div>
    </form>
  );
};
