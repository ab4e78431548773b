// The button that exports a list as CSV: all rows that fit the filters, not only those on the page.

import { useState } from 'react';
import { Button } from '../button.tsx';
import { ExportDialog } from './export-dialog.tsx';
import type { Exported } from './export-rows.ts';
import type { Paged } from './paged.ts';

type Props<Row> = {
  /** The name of the rows, plural and capitalised: `Orders`. */
  readonly label: string;
  readonly paged: Pick<Paged<Row>, 'rows' | 'fetchPage'>;
  readonly exported: Exported<Row>;
};

export const ExportButton = <Row,>({ label, paged, exported }: Props<Row>) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        icon="topups"
        reason={whyNot(paged.rows)}
        aria-label={`Export ${label} as CSV`}
        onClick={() => setOpen(true)}
      >
        Export
      </Button>
      {isOpen ? (
        <ExportDialog label={label} fetchPage={paged.fetchPage} exported={exported} onClose={() => setOpen(false)} />
      ) : null}
    </>
  );
};

const whyNot = (rows: readonly unknown[] | null): string | null => {
  if (rows === null) return 'The list is being loaded.';
  return rows.length === 0 ? 'The list has no rows to export.' : null;
};
