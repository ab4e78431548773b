// The corrections of one record: those that were made, with their figures, and the button for another one. Nothing is shown of a record
// without either.

import type { Correction } from '@holdfast/sdk';
import { CORRECTION_EXPORT } from '../../exports/records.ts';
import { useClient } from '../../session.tsx';
import { isolateBidi } from '../bidi.ts';
import { type Column, DataTable } from '../lists/data-table.tsx';
import { ExportButton } from '../lists/export-button.tsx';
import { usePaged } from '../lists/paged.ts';
import { Amount } from '../money/amount.tsx';
import { Empty } from '../notice.tsx';
import { Panel } from '../panel.tsx';
import { Time } from '../time.tsx';
import { CorrectButton } from './correct-button.tsx';
import { type Offer, wordsOf } from './correction-kinds.ts';
import { FigureTable } from './figures.tsx';

type Props = { readonly resourceId: string; readonly offers: readonly Offer[] };

export const CorrectionsPanel = ({ resourceId, offers }: Props) => {
  const client = useClient();
  const paged = usePaged({
    queryKey: ['corrections', 'list', resourceId],
    list: (page) => client.corrections.list({ resourceId, ...page }),
  });
  const hasRows = (paged.rows?.length ?? 0) > 0;
  if (!hasRows && offers.length === 0) return null;
  return (
    <Panel
      title="Corrections"
      flush={hasRows}
      actions={
        <>
          {hasRows ? <ExportButton label="Corrections" paged={paged} exported={CORRECTION_EXPORT} /> : null}
          <CorrectButton offers={offers} />
        </>
      }
    >
      {hasRows ? (
        <DataTable
          label="Corrections"
          columns={COLUMNS}
          paged={paged}
          rowKey={({ id }) => id}
          empty={<Empty title="No corrections" />}
        />
      ) : (
        <p className="soft">
          A correction leaves a state that no other action can leave. The server checks the facts first.
        </p>
      )}
    </Panel>
  );
};

const COLUMNS: readonly Column<Correction>[] = [
  { name: 'Correction', cell: (correction) => <Made correction={correction} /> },
  { name: 'By', phone: 'under', cell: ({ by }) => isolateBidi(by.name) },
  {
    name: 'Amount',
    phone: 'value',
    align: 'end',
    cell: ({ amount, currency }) =>
      amount ? <Amount value={amount} {...(currency ? { currency } : {})} /> : <span className="soft">–</span>,
  },
  { name: 'Time', phone: 'time', align: 'end', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

const Made = ({ correction: { kind, reason, before, after } }: { readonly correction: Correction }) => (
  <details>
    <summary>
      <strong>{wordsOf(kind).name}</strong>
    </summary>
    <p className="correction-reason">{isolateBidi(reason)}</p>
    <FigureTable before={before} after={after} />
  </details>
);
