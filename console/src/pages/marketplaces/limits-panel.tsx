// The limits of a marketplace for one day, by currency: what was used, and a form that replaces them.

import type { CurrencyCode, Marketplace, SetMarketplaceLimitsInput } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { AmountField, SelectField } from '../../parts/fields.tsx';
import { plainAmount } from '../../parts/money/amounts.ts';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';
import { LimitsToday } from './figures.tsx';

const FIELDS = [
  { name: 'manualCreditPerDay', label: 'Manual credits, all users' },
  { name: 'manualCreditPerUserDay', label: 'Manual credits, one user' },
  { name: 'withdrawalPerDay', label: 'Withdrawals, all users' },
  { name: 'withdrawalPerUserDay', label: 'Withdrawals, one user' },
] as const;

type LimitName = (typeof FIELDS)[number]['name'];
type Form = Readonly<Record<LimitName, string>>;

export const LimitsPanel = ({ marketplace }: { readonly marketplace: Marketplace }) => {
  const { limits } = marketplace;
  const [currency, setCurrency] = useState<CurrencyCode>(limits[0]?.currency ?? 'USD');
  return (
    <Panel title="Daily limits">
      <div className="stack">
        <p>
          <LimitsToday limits={limits} />
        </p>
        <SelectField
          label="Currency"
          value={currency}
          options={CURRENCIES.map((value) => ({ value, name: value }))}
          onChange={(event) => setCurrency(event.target.value as CurrencyCode)}
        />
        <LimitsForm key={currency} marketplace={marketplace} currency={currency} />
      </div>
    </Panel>
  );
};

/** An empty field is no limit. */
const inputOf = (form: Form, currency: CurrencyCode): SetMarketplaceLimitsInput => {
  const limitOf = (name: LimitName): string | null => (form[name].trim() === '' ? null : plainAmount(form[name]));
  return {
    currency,
    manualCreditPerDay: limitOf('manualCreditPerDay'),
    manualCreditPerUserDay: limitOf('manualCreditPerUserDay'),
    withdrawalPerDay: limitOf('withdrawalPerDay'),
    withdrawalPerUserDay: limitOf('withdrawalPerUserDay'),
  };
};

type FormProps = { readonly marketplace: Marketplace; readonly currency: CurrencyCode };

const LimitsForm = ({ marketplace: { id, limits }, currency }: FormProps) => {
  const client = useClient();
  const now = limits.find((each) => each.currency === currency);
  const [form, setForm] = useState<Form>({
    manualCreditPerDay: now?.manualCreditPerDay ?? '',
    manualCreditPerUserDay: now?.manualCreditPerUserDay ?? '',
    withdrawalPerDay: now?.withdrawalPerDay ?? '',
    withdrawalPerUserDay: now?.withdrawalPerUserDay ?? '',
  });
  const act = useAction({
    run: (input: SetMarketplaceLimitsInput) => client.marketplaces.setLimits(id, input),
    done: (set) => ({ title: `The limits for ${set.currency} are set` }),
    failed: 'The limits were not set',
    touches: [['marketplaces'], ['audit']],
    quiet: true,
  });
  const errors = fieldErrorsOf(
    act.error,
    FIELDS.map(({ name }) => name),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending) act.mutate(inputOf(form, currency));
  };
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="marketplaces-fields">
        {FIELDS.map(({ name, label }) => (
          <AmountField
            key={name}
            label={label}
            placeholder="No limit"
            value={form[name]}
            error={errors[name]}
            onChange={(event) => setForm({ ...form, [name]: event.target.value })}
          />
        ))}
      </div>
      <p className="soft">A day begins at 00:00 UTC. An empty field is no limit; 0.00 forbids it.</p>
      {act.error && (errors[''] || Object.keys(errors).length === 0) ? (
        <ErrorNotice title="The limits were not set" error={act.error} />
      ) : null}
      <div className="row">
        <Button type="submit" tone="accent" isBusy={act.isPending}>
          Set limits
        </Button>
      </div>
    </form>
  );
};
