// The form for a new withdrawal: each kind of destination has its own fields. The amount is reserved at once. It is
// paid out on commit, or at once with “Pay out immediately”.

import type { CreateWithdrawalInput, CurrencyCode } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { AmountField, CheckField, SelectField, TextField } from '../../parts/fields.tsx';
import { amountOf, amountProblem, compare, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { effectsOn, less, unitsOf, useBalance } from '../../parts/money/balances.ts';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient, useConfig, useDenial } from '../../session.tsx';
import { DESTINATIONS, type DestinationType, destinationOf, wireDestination } from './destination.ts';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly userId: string };

const EMPTY = { amount: '', currency: 'USD', type: 'bank', ref: '', address: '', email: '' };
const FIELDS = ['userId', 'amount', 'currency', 'destination'];

export const CreateWithdrawal = ({ isOpen, onClose, userId: given }: Props) => {
  const client = useClient();
  const navigate = useNavigate();
  const limits = useConfig()?.amounts.withdrawal;
  const writeDenial = useDenial('write');
  const [userId, setUserId] = useState(given);
  const [form, setForm] = useState(EMPTY);
  const [isCommitted, setCommitted] = useState(false);
  const [isChecked, setChecked] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form resets when it is opened again
  useEffect(() => {
    setUserId(given);
    setForm(EMPTY);
    setCommitted(false);
    setChecked(false);
  }, [given, isOpen]);
  const kind = destinationOf(form.type);
  const currency = (kind.currencies.find((one) => one === form.currency) ?? 'USD') as CurrencyCode;
  const balance = useBalance(userId, currency);
  const amount = unitsOf(form.amount);
  const shown = `${formatAmount(amount)} ${currency}`;
  const paidTo = (form.type === 'crypto' ? form.address : form.email).trim();
  const label = form.ref.trim();

  const act = useAction({
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
  const refused = fieldErrorsOf(act.error, FIELDS);
  const isShort = balance.data !== undefined && compare(amount, amountOf(balance.data.available)) > 0;
  const wrong: Readonly<Record<string, string | undefined>> = {
    userId: userId === '' ? 'Choose a user.' : undefined,
    amount:
      amountProblem(form.amount, limits ?? {}) ??
      (isShort ? `Only ${formatAmount(amountOf(balance.data.available))} ${currency} is available.` : undefined),
    address: form.type === 'crypto' && form.address.trim() === '' ? 'Enter the destination address.' : undefined,
  };
  const errorOf = (name: string): string | undefined => (isChecked ? wrong[name] : undefined) ?? refused[name];
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  const available = balance.data
    ? `${formatAmount(amountOf(balance.data.available))} ${currency} available`
    : undefined;

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
      reason={writeDenial}
      confirm={isCommitted ? `Pay out ${shown}` : `Reserve ${shown}`}
      onConfirm={() =>
        act.mutate({
          userId,
          amount: plainAmount(form.amount),
          currency,
          destination: wireDestination({ ...form, type: form.type as DestinationType }),
          ...(isCommitted ? { commit: true } : {}),
        })
      }
      effects={effectsOn(
        balance.data,
        [
          { name: 'Available', part: 'available', by: less(amount) },
          { name: isCommitted ? 'Reserved, until paid' : 'Reserved', part: 'reserved', by: amount },
        ],
        currency,
      )}
      sentence={
        <p>
          Reserves {shown} of {userId ? <UserName id={userId} /> : 'the user'} for a payout to:{' '}
          {kind.name.toLowerCase()} {paidTo ? `, ${isolateBidi(paidTo)}` : ''}
          {label ? `, “${isolateBidi(label)}”` : ''}.{' '}
          {isCommitted
            ? 'It is paid out immediately. This cannot be undone.'
            : 'It is paid out when it is committed. Without a commit it is canceled after one day.'}
        </p>
      }
    >
      <UserPicker label="User" value={userId} onChange={setUserId} error={errorOf('userId')} />
      <SelectField
        label="Destination"
        {...field('type')}
        options={DESTINATIONS}
        hint={kind.hint}
        error={refused.destination}
      />
      {form.type === 'crypto' ? (
        <TextField label="Ledger address" {...field('address')} placeholder="G…" />
      ) : (
        <TextField label="Recipient e-mail" {...field('email')} hint="Optional" type="email" />
      )}
      <TextField label="Label" {...field('ref')} hint="Optional, such as the last digits of an account" />
      <div className="pay-form-row">
        <AmountField label="Amount" {...field('amount')} hint={available} />
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
