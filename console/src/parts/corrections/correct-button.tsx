// The button “Correct…” and its dialog: the kind, the reason, then the figures before and after as the server's preview has them. Under a
// rule the correction waits for approval; one that does not fit is refused with the facts.

import type { Correction, CreateCorrectionInput } from '@holdfast/sdk';
import { useState } from 'react';
import { useClient, useDenial } from '../../session.tsx';
import { useAction } from '../action.ts';
import { Button } from '../button.tsx';
import { AmountField, SelectField, TextArea } from '../fields.tsx';
import { FormConfirm } from '../money/form-confirm.tsx';
import { type Offer, wordsOf } from './correction-kinds.ts';
import { FactsAgainst, FigureTable, factsIn } from './figures.tsx';

type Props = {
  readonly offers: readonly Offer[];
  /** The label of the button where one kind is offered by itself, such as `Retry`. */
  readonly label?: string;
  /** Names the record for screen readers where a list has many such buttons. */
  readonly of?: string;
};

export const CorrectButton = ({ offers, label = 'Correct…', of }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const denial = useDenial('support');
  if (offers.length === 0) return null;
  return (
    <>
      <Button reason={denial} aria-label={of ? `${label} ${of}` : undefined} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen ? <CorrectDialog offers={offers} onClose={() => setOpen(false)} /> : null}
    </>
  );
};

const REASON_LEAST = 10;
/** A correction may change any of these. */
const TOUCHES = ['corrections', 'orders', 'topups', 'withdrawals', 'users', 'breaks', 'operations', 'audit', 'alerts'];

type Fields = { readonly at: number; readonly reason: string; readonly amount: string };

const inputOf = ({ kind, resourceId }: Offer, { reason, amount }: Fields): CreateCorrectionInput => ({
  kind,
  resourceId,
  reason: reason.trim(),
  ...(wordsOf(kind).amount && amount.trim() ? { amount: amount.trim() } : {}),
});

const CorrectDialog = ({ offers, onClose }: { readonly offers: readonly Offer[]; readonly onClose: () => void }) => {
  const client = useClient();
  const [fields, setFields] = useState<Fields>({ at: 0, reason: '', amount: '' });
  const [problem, setProblem] = useState<string | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const offer = offers[fields.at] ?? offers[0]!;
  const words = wordsOf(offer.kind);
  const input = inputOf(offer, fields);
  const correct = useAction({
    run: (_, once) => client.corrections.create(input, once),
    done: () => ({ title: 'Corrected', text: `${words.name}: the record and the audit trail show it.` }),
    failed: 'The correction was not made',
    touches: TOUCHES.map((name) => [name]),
    quiet: true,
    onDone: onClose,
  });
  const facts = factsIn(refusal) ?? factsIn(correct.error);
  return (
    <FormConfirm
      isOpen
      onClose={onClose}
      title={offers.length === 1 ? words.name : 'Correct'}
      check={() => {
        const isLong = fields.reason.trim().length >= REASON_LEAST;
        setProblem(isLong ? null : `Give the reason in at least ${REASON_LEAST} characters.`);
        return isLong;
      }}
      sentence={
        <>
          <p>{words.does}</p>
          {facts ? <FactsAgainst facts={facts} /> : null}
        </>
      }
      preview={{
        key: ['corrections', input],
        ask: () => client.corrections.create(input, { dryRun: true }),
        beside: (reply) => <FigureTable before={(reply as Correction).before} after={(reply as Correction).after} />,
      }}
      onRefusal={setRefusal}
      confirm={words.name}
      act={correct}
      onConfirm={() => correct.mutate()}
    >
      <CorrectFields offers={offers} fields={fields} onChange={setFields} problem={problem} />
    </FormConfirm>
  );
};

type FieldProps = {
  readonly offers: readonly Offer[];
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  readonly problem: string | null;
};

const CorrectFields = ({ offers, fields, onChange, problem }: FieldProps) => {
  const words = wordsOf((offers[fields.at] ?? offers[0]!).kind);
  return (
    <>
      {offers.length > 1 ? (
        <SelectField
          label="Correction"
          value={String(fields.at)}
          options={offers.map(({ kind }, at) => ({ value: String(at), name: wordsOf(kind).name }))}
          onChange={({ target: { value } }) => onChange({ ...fields, at: Number(value) })}
        />
      ) : null}
      <p>{words.does}</p>
      {words.amount ? (
        <AmountField
          label="Amount"
          hint={words.amount}
          value={fields.amount}
          onChange={({ target: { value } }) => onChange({ ...fields, amount: value })}
        />
      ) : null}
      <TextArea
        label="Reason"
        hint="The audit trail keeps it."
        value={fields.reason}
        error={problem ?? undefined}
        onChange={({ target: { value } }) => onChange({ ...fields, reason: value })}
      />
    </>
  );
};
