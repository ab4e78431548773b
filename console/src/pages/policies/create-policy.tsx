// The dialog that creates a policy or its next version: rules as JSON, with their picture beside them while they are typed.

import type { Policy } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useClient } from '../../session.tsx';
import type { Rules } from './rule-rows.ts';
import { RulesPicture } from './rules-picture.tsx';
import { TEMPLATES } from './templates.ts';

type Props = {
  readonly onClose: () => void;
  /** The version that the new one follows; its name stays. */
  readonly earlier?: Policy;
};

type Form = { readonly name: string; readonly text: string };

const FAILED = 'The policy was not created';

const textOf = (rules: Rules): string => JSON.stringify(rules, null, 2);

/** Null while the text is not a JSON object. */
const rulesOf = (text: string): Rules | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Rules) : null;
  } catch {
    return null;
  }
};

const missingIn = ({ name, text }: Form): string | null => {
  if (name.trim() === '') return 'Enter a name.';
  return rulesOf(text) === null ? 'The rules are not a JSON object.' : null;
};

export const CreatePolicy = ({ onClose, earlier }: Props) => {
  const client = useClient();
  const navigate = useNavigate();
  const [form, setForm] = useState<Form>({
    name: earlier?.name ?? '',
    text: textOf(earlier?.rules ?? TEMPLATES[0]!.rules),
  });
  const act = useAction<Policy, Form>({
    run: ({ name, text }, once) => client.policies.create({ name: name.trim(), rules: rulesOf(text)! }, once),
    done: ({ name, version }) => ({
      title: `${name}, version ${version}`,
      text: 'New orders can use it. Older orders keep their version.',
    }),
    failed: FAILED,
    touches: [['policies'], ['audit']],
    quiet: true,
    onDone({ id }) {
      onClose();
      void navigate(`/policies/${id}`);
    },
  });
  const errors = fieldErrorsOf(act.error, ['name', 'rules']);
  const missing = missingIn(form);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending && missing === null) act.mutate(form);
  };
  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title={earlier ? 'Create next version' : 'Create policy'}>
      <form className="stack" noValidate onSubmit={submit}>
        <Fields form={form} errors={errors} isNext={earlier !== undefined} onChange={setForm} />
        {act.error && errors[''] ? <ErrorNotice title={FAILED} error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The request is being sent.' : null}>
            Cancel
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending} reason={missing}>
            {earlier ? 'Create version' : 'Create policy'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

type FieldsProps = {
  readonly form: Form;
  readonly errors: Readonly<Record<string, string>>;
  readonly isNext: boolean;
  readonly onChange: (form: Form) => void;
};

const Fields = ({ form, errors, isNext, onChange }: FieldsProps) => {
  const rules = rulesOf(form.text);
  return (
    <>
      <TextField
        label="Name"
        hint={
          isNext
            ? 'The same name makes the next version.'
            : 'Orders name it. The same name again makes the next version.'
        }
        value={form.name}
        error={errors.name}
        readOnly={isNext}
        onChange={(event) => onChange({ ...form, name: event.target.value })}
      />
      {isNext ? null : (
        <SelectField
          label="Begin with"
          options={TEMPLATES.map(({ name }, at) => ({ value: String(at), name }))}
          onChange={(event) => onChange({ ...form, text: textOf(TEMPLATES[Number(event.target.value)]!.rules) })}
        />
      )}
      <TextArea
        label="Rules"
        hint="JSON. Durations such as P7D (7 days), PT36H (36 hours) or P2W (2 weeks). All rules are optional."
        rows={12}
        className="mono"
        spellCheck={false}
        value={form.text}
        error={errors.rules ?? (rules === null ? 'This is not a JSON object.' : undefined)}
        onChange={(event) => onChange({ ...form, text: event.target.value })}
      />
      {rules === null ? null : <RulesPicture rules={rules} />}
    </>
  );
};
