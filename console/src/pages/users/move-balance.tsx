// Credits or debits a balance manually. The reason is required, because the statement shows it permanently.

import type { Balance, CreditBalanceInput, CurrencyCode, User } from '@holdfast/sdk';
import { useEffect, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { AmountField, SelectField, TextField } from '../../parts/fields.tsx';
import { amountOf, amountProblem, compare, formatAmount, plainAmount } from '../../parts/money/amounts.ts';
import { CURRENCIES, unitsOf, useBalance } from '../../parts/money/balances.ts';
import { FormConfirm } from '../../parts/money/form-confirm.tsx';
import { userName } from '../../parts/names.tsx';
import { useClient, useDenial } from '../../session.tsx';

export type Direction = 'credit' | 'debit';

type Props = { readonly user: User; readonly direction: Direction | null; readonly onClose: () => void };

const EMPTY = { amount: '', currency: 'USD', description: '', reference: '' };
const FIELDS = ['amount', 'currency', 'description', 'reference'];

export const MoveBalance = ({ user, direction, onClose }: Props) => {
  const client = useClient();
  const treasuryDenial = useDenial('treasury');
  const [form, setForm] = useState(EMPTY);
  const [isChecked, setChecked] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  useEffect(() => {
    if (direction === null) return;
    setForm(EMPTY);
    setChecked(false);
    setRefusal(null);
  }, [direction]);
  const isCredit = direction === 'credit';
  const currency = form.currency as CurrencyCode;
  const balance = useBalance(user.id, currency);
  const shown = `${formatAmount(unitsOf(form.amount))} ${currency}`;
  const verb = isCredit ? 'Credit' : 'Debit';

  const act = useMove({ userId: user.id, isCredit, shown, onClose });
  const refused = fieldErrorsOf(act.error ?? refusal, FIELDS);
  const wrong = problemsOf(form, isCredit ? undefined : balance.data);
  const field = (name: keyof typeof EMPTY) => ({
    value: form[name],
    error: (isChecked ? wrong[name] : undefined) ?? refused[name],
    onChange: (event: { target: { value: string } }) => setForm({ ...form, [name]: event.target.value }),
  });
  const input = inputOf(form);

  return (
    <FormConfirm
      isOpen={direction !== null}
      onClose={onClose}
      title={`${verb} ${isolateBidi(userName(user))}`}
      check={() => {
        setChecked(true);
        return !wrong.amount && !wrong.description;
      }}
      act={act}
      reason={treasuryDenial}
      tone={isCredit ? 'accent' : 'bad'}
      confirm={`${verb} ${shown}`}
      onConfirm={() => act.mutate(input)}
      preview={{
        key: ['users', user.id, direction, input],
        ask: () => client.balances[isCredit ? 'credit' : 'debit'](user.id, input, { dryRun: true }),
      }}
      onRefusal={setRefusal}
      sentence={<Summary user={user} shown={shown} isCredit={isCredit} description={form.description.trim()} />}
    >
      <div className="pay-form-row">
        <AmountField
          label="Amount"
          {...field('amount')}
          hint={balance.data ? `${formatAmount(amountOf(balance.data.available))} ${currency} available` : undefined}
        />
        <SelectField
          label="Currency"
          {...field('currency')}
          options={CURRENCIES.map((value) => ({ value, name: value }))}
        />
      </div>
      <TextField label="Reason" {...field('description')} hint="Shown in the statement" />
      <TextField label="Reference" {...field('reference')} hint="Optional, such as a ticket number" />
    </FormConfirm>
  );
};

const inputOf = (form: typeof EMPTY): CreditBalanceInput => ({
  amount: plainAmount(form.amount),
  currency: form.currency as CurrencyCode,
  description: form.description.trim(),
  ...(form.reference.trim() ? { reference: form.reference.trim() } : {}),
});

type Move = {
  readonly userId: string;
  readonly isCredit: boolean;
  readonly shown: string;
  readonly onClose: () => void;
};

const useMove = ({ userId, isCredit, shown, onClose }: Move) => {
  const client = useClient();
  return useAction({
    run: (input: CreditBalanceInput, once) =>
      isCredit ? client.balances.credit(userId, input, once) : client.balances.debit(userId, input, once),
    done: ({ available, currency }) => ({
      title: `${shown} ${isCredit ? 'credited' : 'debited'}`,
      text: `Available is now ${formatAmount(amountOf(available))} ${currency}. The statement shows the reason.`,
    }),
    failed: `The balance was not ${isCredit ? 'credited' : 'debited'}`,
    touches: [['users'], ['proof']],
    quiet: true,
    onDone: onClose,
  });
};

/** The errors of the fields before the request. A debit must not exceed the balance. */
const problemsOf = (
  form: typeof EMPTY,
  debited: Pick<Balance, 'available'> | undefined,
): Readonly<Record<string, string | undefined>> => {
  const available = debited && amountOf(debited.available);
  const isShort = available !== undefined && compare(unitsOf(form.amount), available) > 0;
  return {
    amount:
      amountProblem(form.amount) ??
      (isShort ? `Only ${formatAmount(available)} ${form.currency} is available.` : undefined),
    description: form.description.trim() === '' ? 'Enter a reason. The statement shows it.' : undefined,
  };
};

type SummaryProps = {
  readonly user: User;
  readonly shown: string;
  readonly isCredit: boolean;
  readonly description: string;
};

const Summary = ({ user, shown, isCredit, description }: SummaryProps) => (
  <p>
    {isCredit
      ? `Credits ${shown} to ${isolateBidi(userName(user))} from the operator’s own funds.`
      : `Debits ${shown} from ${isolateBidi(userName(user))} in favour of the operator.`}{' '}
    Reason in the statement and the audit trail: “{description}”.
  </p>
);
