// The form for a new withdrawal: each kind of destination has its own fields. The amount is reserved at once. It is
// paid out on commit, or at once with “Pay out immediately”.

import type { Balance, CreateWithdrawalInput, CurrencyCode } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { AmountField, CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { amountOf, amountProblem, compare, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { unitsOf, useBalance } from '../../parts/money/balances.ts';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient, useConfig, useDenial } from '../../session.tsx';
import { DESTINATIONS, type DestinationType, destinationOf, MEMOS, memoOf, wireDestination } from './destination.ts';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly userId: string };

const EMPTY = { amount: '', currency: 'USD', type: 'bank', ref: '', address: '', memoType: '', memo: '', email: '' };
const FIELDS = ['userId', 'amount', 'currency', 'destination'];

export const CreateWithdrawal = ({ isOpen, onClose, userId: given }: Props) => {
  const client = useClient();
  const limits = useConfig()?.amounts.withdrawal;
  const payoutDenial = useDenial('payout');
  const [userId, setUserId] = useState(given);
  const [form, setForm] = useState(EMPTY);
  const [isCommitted, setCommitted] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form resets when it is opened again
  useEffect(() => {
    setUserId(given);
    setForm(EMPTY);
    setCommitted(false);
    setChecked(false);
    setRefusal(null);
  }, [given, isOpen]);
  const kind = destinationOf(form.type);
  const currency = (kind.currencies.find((one) => one === form.currency) ?? 'USD') as CurrencyCode;
  const balance = useBalance(userId, currency);
  const shown = `${formatAmount(unitsOf(form.amount))} ${currency}`;
  const input = inputOf({ userId, form, currency, isCommitted });

  const act = useCreate(shown);
  const refused = fieldErrorsOf(act.error ?? refusal, FIELDS);
  const wrong = problemsOf({ userId, form, currency, limits, balance: balance.data });
  const errorOf = (name: string): string | undefined => (isChecked ? wrong[name] : undefined) ?? refused[name];
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });

  return (
    <FormConfirm
      isOpen={isOpen}
      onClose={onClose}
      title="New withdrawal"
      check={() => {
        setChecked(true);
        return Object.values(wrong).every((problem) => problem === undefined);
      }}
      act={act}
      reason={payoutDenial}
      confirm={isCommitted ? `Pay out ${shown}` : `Reserve ${shown}`}
      onConfirm={() => act.mutate(input)}
      preview={{ key: ['withdrawals', input], ask: () => client.withdrawals.create(input, { dryRun: true }) }}
      onRefusal={setRefusal}
      sentence={<Summary userId={userId} shown={shown} form={form} isCommitted={isCommitted} />}
    >
      <UserPicker label="User" value={userId} onChange={setUserId} error={errorOf('userId')} />
      <DestinationFields form={form} field={field} error={refused.destination} />
      <div className="pay-form-row">
        <AmountField
          label="Amount"
          {...field('amount')}
          hint={balance.data && `${formatAmount(amountOf(balance.data.available))} ${currency} available`}
        />
        <SelectField
          label="Currency"
          {...field('currency')}
          value={currency}
          options={kind.currencies.map((value) => ({ value, name: value }))}
        />
      </div>
      <CheckField
        label="Pay out immediately"
        checked={isCommitted}
        onChange={(event) => setCommitted(event.target.checked)}
      />
    </FormConfirm>
  );
};

type Asked = {
  readonly userId: string;
  readonly form: Form;
  readonly currency: CurrencyCode;
  readonly isCommitted: boolean;
};

const inputOf = ({ userId, form, currency, isCommitted }: Asked): CreateWithdrawalInput => ({
  userId,
  amount: plainAmount(form.amount),
  currency,
  destination: wireDestination({ ...form, type: form.type as DestinationType }),
  ...(isCommitted ? { commit: true } : {}),
});

const useCreate = (shown: string) => {
  const client = useClient();
  const navigate = useNavigate();
  return useAction({
    run: (input: CreateWithdrawalInput, once) => client.withdrawals.create(input, once),
    done: ({ status }) => ({
      title: `Withdrawal of ${shown} created`,
      text: status === 'WITHDRAWAL_CREATED' ? 'Commit it on this page to pay it out.' : 'The payout is in progress.',
    }),
    failed: 'The withdrawal was not created',
    touches: [['withdrawals'], ['users'], ['sandbox']],
    quiet: true,
    onDone: ({ id }) => void navigate(`/withdrawals/${id}`),
  });
};

type Form = typeof EMPTY;

type Checked = {
  readonly userId: string;
  readonly form: Form;
  readonly currency: string;
  readonly limits: { readonly min: string; readonly max: string } | undefined;
  readonly balance: Pick<Balance, 'available'> | undefined;
};

/** The errors of the fields before the request; undefined for a valid field. */
const problemsOf = ({
  userId,
  form,
  currency,
  limits,
  balance,
}: Checked): Readonly<Record<string, string | undefined>> => {
  const available = balance && amountOf(balance.available);
  const isShort = available !== undefined && compare(unitsOf(form.amount), available) > 0;
  return {
    userId: userId === '' ? 'Choose a user.' : undefined,
    amount:
      amountProblem(form.amount, limits ?? {}) ??
      (isShort ? `Only ${formatAmount(available)} ${currency} is available.` : undefined),
    address: form.type === 'crypto' && form.address.trim() === '' ? 'Enter the destination address.' : undefined,
    memo:
      form.type === 'crypto' && form.memoType !== '' && form.memo.trim() === ''
        ? 'Enter the memo, or choose “No memo”.'
        : undefined,
  };
};

type SummaryProps = {
  readonly userId: string;
  readonly shown: string;
  readonly form: Form;
  readonly isCommitted: boolean;
};

const Summary = ({ userId, shown, form, isCommitted }: SummaryProps) => {
  const recipient = (form.type === 'crypto' ? form.address : form.email).trim();
  const label = form.ref.trim();
  return (
    <p>
      Reserves {shown} of {userId ? <UserName id={userId} /> : 'the user'} for a payout to:{' '}
      {destinationOf(form.type).name.toLowerCase()}
      {recipient ? `, ${isolateBidi(recipient)}` : ''}
      {form.type === 'crypto' && form.memoType !== ''
        ? `, with the memo “${isolateBidi(form.memo.trim())}” (${memoOf(form.memoType).name.toLowerCase()})`
        : ''}
      {label ? `, “${isolateBidi(label)}”` : ''}.{' '}
      {isCommitted
        ? 'It is paid out immediately. This cannot be undone.'
        : 'It is paid out when it is committed. Without a commit it is canceled after one day.'}
    </p>
  );
};

type DestinationProps = {
  readonly form: Form;
  readonly field: (name: keyof Form) => {
    value: string;
    error: string | undefined;
    onChange: (event: { target: { value: string } }) => void;
  };
  readonly error: string | undefined;
};

const DestinationFields = ({ form, field, error }: DestinationProps) => (
  <>
    <SelectField
      label="Destination"
      {...field('type')}
      options={DESTINATIONS}
      hint={destinationOf(form.type).hint}
      error={error}
    />
    {form.type === 'crypto' ? (
      <>
        <TextField label="Ledger address" {...field('address')} placeholder="G…" />
        <div className="pay-form-row">
          <SelectField label="Memo type" {...field('memoType')} options={MEMOS} hint={memoOf(form.memoType).hint} />
          {form.memoType === '' ? null : <TextField label="Memo" {...field('memo')} />}
        </div>
      </>
    ) : (
      <TextField label="Recipient e-mail" {...field('email')} hint="Optional" type="email" />
    )}
    <TextField label="Label" {...field('ref')} hint="Optional, such as the last digits of an account" />
  </>
);
