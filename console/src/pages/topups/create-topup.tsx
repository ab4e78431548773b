// The form for a new top-up. After the creation it opens the page of the top-up, which has the confirmation link.

import type { CreateTopupInput } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { AmountField, SelectField, TextField } from '../../parts/fields.tsx';
import { amountOf, amountProblem, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { unitsOf } from '../../parts/money/balances.ts';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient, useConfig, useDenial } from '../../session.tsx';

type Props = { readonly isOpen: boolean; readonly onClose: () => void; readonly userId: string };

type TopupCurrency = 'USD' | 'USDC';

const EMPTY = { amount: '', currency: 'USD', description: '', returnUrl: '', cancelUrl: '' };
const FIELDS = ['userId', 'amount', 'currency', 'description', 'returnUrl', 'cancelUrl'];

export const CreateTopup = ({ isOpen, onClose, userId: given }: Props) => {
  const client = useClient();
  const limits = useConfig()?.amounts.topup;
  const writeDenial = useDenial('write');
  const [userId, setUserId] = useState(given);
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form resets when it is opened again
  useEffect(() => {
    setUserId(given);
    setForm(EMPTY);
    setChecked(false);
    setRefusal(null);
  }, [given, isOpen]);
  const currency = form.currency as TopupCurrency;
  const input = inputOf(userId, form);
  const shown = `${formatAmount(unitsOf(form.amount))} ${currency}`;

  const act = useCreate(shown);
  const refused = fieldErrorsOf(act.error ?? refusal, FIELDS);
  const wrong = {
    userId: userId === '' ? 'Choose a user.' : undefined,
    amount: amountProblem(form.amount, limits ?? {}),
  };
  const errorOf = (field: keyof typeof EMPTY | 'userId'): string | undefined =>
    (isChecked ? (wrong as Record<string, string | undefined>)[field] : undefined) ?? refused[field];
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: errorOf(name),
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });

  return (
    <FormConfirm
      isOpen={isOpen}
      onClose={onClose}
      title="New top-up"
      check={() => {
        setChecked(true);
        return !wrong.userId && !wrong.amount;
      }}
      act={act}
      reason={writeDenial}
      confirm={`Request ${shown}`}
      onConfirm={() => act.mutate(input)}
      preview={{ key: ['topups', input], ask: () => client.topups.create(input, { dryRun: true }) }}
      onRefusal={setRefusal}
      sentence={
        <p>
          Requests a payment of {shown} from the payment provider for {userId ? <UserName id={userId} /> : 'the user'}.
          The balance is credited after the payer has confirmed it.
        </p>
      }
    >
      <UserPicker label="User" value={userId} onChange={setUserId} error={errorOf('userId')} />
      <div className="pay-form-row">
        <AmountField
          label="Amount"
          {...field('amount')}
          hint={limits ? `${formatAmount(amountOf(limits.min))} to ${formatAmount(amountOf(limits.max))}` : undefined}
        />
        <SelectField
          label="Currency"
          {...field('currency')}
          options={['USD', 'USDC'].map((value) => ({ value, name: value }))}
        />
      </div>
      <TextField label="Description for the payer" {...field('description')} hint="Optional" />
      <TextField label="Return URL" {...field('returnUrl')} hint="Optional, http or https" />
      <TextField label="Cancel URL" {...field('cancelUrl')} hint="Optional, http or https" />
    </FormConfirm>
  );
};

const useCreate = (shown: string) => {
  const client = useClient();
  const navigate = useNavigate();
  return useAction({
    run: (input: CreateTopupInput, once) => client.topups.create(input, once),
    done: () => ({ title: `Top-up of ${shown} created`, text: 'Send the payer to the confirmation page.' }),
    failed: 'The top-up was not created',
    touches: [['topups'], ['sandbox']],
    quiet: true,
    onDone: ({ id }) => void navigate(`/topups/${id}`),
  });
};

const inputOf = (userId: string, form: typeof EMPTY): CreateTopupInput => ({
  userId,
  amount: plainAmount(form.amount),
  currency: form.currency as TopupCurrency,
  ...(form.description.trim() ? { description: form.description.trim() } : {}),
  ...(form.returnUrl.trim() ? { returnUrl: form.returnUrl.trim() } : {}),
  ...(form.cancelUrl.trim() ? { cancelUrl: form.cancelUrl.trim() } : {}),
});
