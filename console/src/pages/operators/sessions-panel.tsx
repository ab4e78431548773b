// The open sessions of an operator. Ending one signs that browser out at once.

import type { OperatorSession } from '@holdfast/sdk';
import type { Client } from '../../api.ts';
import { SESSION_EXPORT } from '../../exports/operators.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { type Column, DataTable } from '../../parts/lists/data-table.tsx';
import { ExportButton } from '../../parts/lists/export-button.tsx';
import { usePaged } from '../../parts/lists/paged.ts';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Time } from '../../parts/time.tsx';
import { browserWords } from './browser-words.ts';
import { methodWords } from './role-words.ts';

type Props = { readonly client: Client; readonly operatorId: string };

const POLL_MS = 10_000;

export const SessionsPanel = ({ client, operatorId }: Props) => {
  const paged = usePaged({
    queryKey: ['operators', operatorId, 'sessions'],
    everyMs: POLL_MS,
    list: (page) => client.operators.sessions(operatorId, page),
  });
  const revoke = useAction({
    run: (session: OperatorSession) => client.operators.revokeSession(operatorId, session.id),
    done: () => ({ title: 'Session ended', text: 'That browser is signed out.' }),
    failed: 'The session was not ended',
    touches: [['operators', operatorId, 'sessions'], ['audit']],
  });
  const columns: readonly Column<OperatorSession>[] = [
    ...COLUMNS,
    {
      name: 'Actions',
      phone: 'value',
      align: 'end',
      cell: (session) =>
        session.isOwn ? (
          <span className="soft">This browser</span>
        ) : (
          <Button
            aria-label={`End the session on ${browserWords(session.userAgent)}`}
            isBusy={revoke.isPending && revoke.variables?.id === session.id}
            onClick={() => revoke.mutate(session)}
          >
            End
          </Button>
        ),
    },
  ];
  return (
    <Panel title="Sessions" flush actions={<ExportButton label="Sessions" paged={paged} exported={SESSION_EXPORT} />}>
      <DataTable
        label="Sessions"
        columns={columns}
        paged={paged}
        rowKey={({ id }) => id}
        empty={<Empty title="No open sessions">A session begins with a sign-in.</Empty>}
      />
    </Panel>
  );
};

const COLUMNS: readonly Column<OperatorSession>[] = [
  {
    name: 'Browser',
    cell: ({ userAgent }) => <span title={userAgent}>{browserWords(userAgent)}</span>,
  },
  { name: 'Address', phone: 'under', cell: ({ address }) => <span className="mono">{isolateBidi(address)}</span> },
  { name: 'Method', cell: ({ method }) => methodWords(method) },
  { name: 'Signed in', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { name: 'Last used', phone: 'time', cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
  { name: 'Ends', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
];
