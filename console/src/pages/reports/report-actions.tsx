// The buttons of a report: refresh, save as CSV, and print.

import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { CSV_TYPE, saveFile } from '../../parts/save-file.ts';

type Props = {
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly csv: () => Promise<string>;
  readonly refresh: () => void;
  readonly isBusy: boolean;
};

export const ReportActions = ({ name, csv, refresh, isBusy }: Props) => {
  const save = useAction({
    run: csv,
    done: () => ({ title: 'Report downloaded', text: `${name}.csv` }),
    failed: 'The report could not be downloaded',
    onDone: (text) => saveFile({ name: `${name}.csv`, parts: [text], type: CSV_TYPE }),
  });
  return (
    <>
      <Button icon="refresh" isBusy={isBusy} onClick={refresh}>
        Refresh
      </Button>
      <Button icon="topups" isBusy={save.isPending} onClick={() => save.mutate()}>
        Download CSV
      </Button>
      <Button onClick={() => window.print()}>Print</Button>
    </>
  );
};
