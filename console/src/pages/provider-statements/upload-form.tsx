// The form that uploads a provider statement. A refused file shows each wrong row, and nothing of it is stored.

import { HoldfastError, type ProviderStatementFile } from '@holdfast/sdk';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { plural } from '../../plural.ts';
import { useClient, useDenial } from '../../session.tsx';
import { SYSTEM_WORDS } from './words.ts';

const COLUMN_FIELDS = ['date', 'reference', 'amount', 'currency', 'type', 'fee', 'description'] as const;

type Columns = Partial<Record<(typeof COLUMN_FIELDS)[number], string>>;

type Form = {
  readonly file: File | null;
  readonly system: ProviderStatementFile['system'];
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly tolerance: string;
  readonly columns: Columns;
};

const EMPTY: Form = {
  file: null,
  system: 'payment-provider',
  from: '',
  to: '',
  currency: '',
  tolerance: '60',
  columns: {},
};

const CURRENCIES = ['', 'USD', 'USDC', 'XLM'].map((value) => ({ value, name: value || 'As in the file' }));
const SYSTEMS = Object.entries(SYSTEM_WORDS).map(([value, name]) => ({ value, name }));

const inputOf = async (form: Form): Promise<ProviderStatementFile> => {
  const { file, system, from, to, currency, tolerance } = form;
  const columns = Object.fromEntries(Object.entries(form.columns).filter(([, name]) => name.trim() !== ''));
  return {
    system,
    fileName: file!.name,
    content: new Uint8Array(await file!.arrayBuffer()),
    from,
    to,
    columns,
    toleranceMinutes: Number.parseInt(tolerance, 10),
    ...(currency === '' ? {} : { currency: currency as 'USD' }),
  };
};

const whyNot = ({ file, from, to, tolerance }: Form): string | null => {
  if (!file) return 'Choose a file first.';
  if (!from || !to) return 'Enter the range that the statement covers.';
  return /^\d{1,4}$/.test(tolerance) ? null : 'Enter the tolerance in minutes.';
};

type FieldProps = { readonly form: Form; readonly change: (part: Partial<Form>) => void };

const MainFields = ({ form, change }: FieldProps) => (
  <div className="filters" data-open>
    <TextField
      type="file"
      accept=".csv,text/csv"
      label="CSV file"
      onChange={({ target }) => change({ file: target.files?.[0] ?? null })}
    />
    <SelectField
      label="System"
      value={form.system}
      options={SYSTEMS}
      onChange={({ target }) => change({ system: target.value as Form['system'] })}
    />
    <TextField type="date" label="From" value={form.from} onChange={({ target }) => change({ from: target.value })} />
    <TextField
      type="date"
      label="To, exclusive"
      value={form.to}
      onChange={({ target }) => change({ to: target.value })}
    />
  </div>
);

const MoreFields = ({ form, change }: FieldProps) => (
  <details className="statement-more">
    <summary>Columns, currency and tolerance</summary>
    <p className="soft">
      Enter the header of a column where the file names it otherwise. Date, reference and amount are needed.
    </p>
    <div className="filters" data-open>
      {COLUMN_FIELDS.map((field) => (
        <TextField
          key={field}
          label={`Column: ${field}`}
          placeholder={field}
          value={form.columns[field] ?? ''}
          onChange={({ target }) => change({ columns: { ...form.columns, [field]: target.value } })}
        />
      ))}
      <SelectField
        label="Currency"
        value={form.currency}
        options={CURRENCIES}
        onChange={({ target }) => change({ currency: target.value })}
      />
      <TextField
        label="Tolerance in minutes"
        inputMode="numeric"
        value={form.tolerance}
        onChange={({ target }) => change({ tolerance: target.value })}
      />
    </div>
  </details>
);

/** Each problem of the file is a line of a list. */
const Refusal = ({ error }: { readonly error: unknown }) => {
  const { validationErrors } = (error instanceof HoldfastError ? error.details : {}) as { validationErrors?: unknown };
  const title = 'The file was not stored';
  if (!Array.isArray(validationErrors)) return <ErrorNotice title={title} error={error} />;
  return (
    <Notice title={title} tone="bad">
      <ul className="statement-problems">
        {validationErrors.map((text) => (
          <li key={String(text)}>{String(text)}</li>
        ))}
      </ul>
    </Notice>
  );
};

export const UploadForm = () => {
  const client = useClient();
  const navigate = useNavigate();
  const denial = useDenial('treasury');
  const [form, setForm] = useState<Form>(EMPTY);
  const change = (part: Partial<Form>): void => setForm((before) => ({ ...before, ...part }));
  const upload = useAction({
    run: async (_, once) => client.providerStatements.upload(await inputOf(form), once),
    done: ({ lines }) => ({ title: 'Statement uploaded', text: plural(lines, 'line') }),
    failed: 'The file was not stored',
    quiet: true,
    touches: [['provider-statements']],
    onDone: ({ id }) => void navigate(`/provider-statements/${id}`),
  });
  const reason = denial ?? whyNot(form);
  return (
    <Panel title="Upload a statement">
      <form
        className="stack-tight"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === null) upload.mutate();
        }}
      >
        <MainFields form={form} change={change} />
        <MoreFields form={form} change={change} />
        {upload.isError ? <Refusal error={upload.error} /> : null}
        <div className="row">
          <Button type="submit" tone="accent" icon="withdrawals" isBusy={upload.isPending} reason={reason}>
            Upload and compare
          </Button>
        </div>
      </form>
    </Panel>
  );
};
