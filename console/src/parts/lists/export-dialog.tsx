// The dialog of an export: its options, its progress with a way to stop it, and what was written.

import { useEffect, useRef, useState } from 'react';
import { plural } from '../../plural.ts';
import { useConfig } from '../../session.tsx';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { CheckField } from '../fields.tsx';
import { ErrorNotice } from '../notice.tsx';
import { CSV_TYPE, saveFile } from '../save-file.ts';
import { BYTE_ORDER_MARK } from './csv.ts';
import { EXPORT_MAX, type Exported, exportRows, type Written } from './export-rows.ts';
import type { FetchPage } from './paged.ts';
import { localDay, zoneName } from './zone.ts';

type Props<Row> = {
  readonly label: string;
  readonly fetchPage: FetchPage<Row>;
  readonly exported: Exported<Row>;
  readonly onClose: () => void;
};

type State =
  | { readonly step: 'options' }
  | { readonly step: 'running'; readonly rows: number }
  | { readonly step: 'done'; readonly written: Written }
  | { readonly step: 'failed'; readonly error: unknown };

const counted = (rows: number): string => plural(rows, 'row');

export const ExportDialog = <Row,>(props: Props<Row>) => {
  const { label, onClose } = props;
  const [hasMark, setMark] = useState(false);
  const { state, start, stop } = useExport(props, hasMark);
  const isRunning = state.step === 'running';
  const close = (): void => {
    stop();
    onClose();
  };
  return (
    <Dialog isOpen onClose={close} title={`Export ${label.toLowerCase()}`}>
      <div className="stack">
        {state.step === 'options' ? <Options which={props.exported.which} hasMark={hasMark} onMark={setMark} /> : null}
        {isRunning ? (
          <div className="stack-tight">
            <progress className="export-progress" aria-label="Export is running" />
            <p>{counted(state.rows)} so far</p>
          </div>
        ) : null}
        <p role="status" hidden={state.step !== 'done'}>
          {state.step === 'done' ? doneWords(state.written) : ''}
        </p>
        {state.step === 'failed' ? (
          <ErrorNotice title="The export has failed. No file was saved." error={state.error} />
        ) : null}
        <div className="dialog-actions">
          <Button onClick={close}>{state.step === 'done' ? 'Close' : 'Cancel'}</Button>
          {state.step === 'done' ? null : (
            <Button tone="accent" icon="topups" isBusy={isRunning} onClick={start}>
              {state.step === 'failed' ? 'Try again' : 'Export CSV'}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
};

const doneWords = ({ rows, isCut }: Written): string =>
  isCut
    ? `The file has the first ${counted(rows)} of the list, which is the limit. Narrow the filters, for example by date, to export the others.`
    : `${counted(rows)} ${rows === 1 ? 'was' : 'were'} exported.`;

type OptionProps = {
  readonly which: string | undefined;
  readonly hasMark: boolean;
  readonly onMark: (hasMark: boolean) => void;
};

const Options = ({ which, hasMark, onMark }: OptionProps) => (
  <>
    <p>
      {which ?? `All rows that fit the filters, at most ${EXPORT_MAX.toLocaleString('en')}`}, as CSV. Amounts are exact.
      Times are in UTC and in {zoneName()}.
    </p>
    <CheckField
      label="Begin with a byte order mark, for spreadsheets that show wrong letters without it"
      checked={hasMark}
      onChange={(event) => onMark(event.target.checked)}
    />
  </>
);

const useExport = <Row,>({ fetchPage, exported }: Props<Row>, hasMark: boolean) => {
  const limit = useConfig()?.rateLimit;
  const [state, setState] = useState<State>({ step: 'options' });
  const running = useRef<AbortController | null>(null);
  const stop = (): void => running.current?.abort();
  // A page that is left stops its export.
  useEffect(() => () => running.current?.abort(), []);
  const start = (): void => {
    const control = new AbortController();
    running.current = control;
    setState({ step: 'running', rows: 0 });
    exportRows({
      fetchPage,
      columns: exported.columns,
      // Half of the requests that the key may send.
      pauseMs: limit ? (2_000 * limit.windowSeconds) / limit.max : 1_000,
      signal: control.signal,
      onProgress: (rows) => setState({ step: 'running', rows }),
    }).then(
      (written) => {
        if (control.signal.aborted) return;
        const parts = hasMark ? [BYTE_ORDER_MARK, ...written.parts] : written.parts;
        saveFile({ name: `${exported.file}-${localDay(new Date())}.csv`, parts, type: CSV_TYPE });
        setState({ step: 'done', written });
      },
      (error: unknown) => {
        if (!control.signal.aborted) setState({ step: 'failed', error });
      },
    );
  };
  return { state, start, stop };
};
