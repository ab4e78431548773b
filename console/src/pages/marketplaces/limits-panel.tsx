// The limits of a marketplace for one day, by currency: what was used, and a form that replaces them.

import type { CurrencyCode, Marketplace, SetMarketplaceLimitsInput } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { AmountField, SelectField } from '../../parts/fields.tsx';
import { plainAmount } from '../../parts/money/amounts.ts';
import { CURRENCIES } from '../../parts/money/balances.ts';
import { ErrorNotice, errorTitle } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';
import { LimitsToday } from './figures.tsx';
import { refusalsOf, useSaving } from './saving.ts';

const FAILED = 'The limits were not set';

const FIELDS = [
  { name: 'manualCreditPerDay', label: 'Manual credits, all users' },
  { name: 'manualCreditPerUserDay', label: 'Manual credits, one user' },
  { name: 'withdrawalPerDay', label: 'Withdrawals, all users' },
  { name: 'withdrawalPerUserDay', label: 'Withdrawals, one user' },
] as const;

type LimitName = (typeof FIELDS)[number]['name'];
type Form = Readonly<Record<LimitName, string>>;

const NAMES = FIELDS.map(({ name }) => name);

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
const inputOf = (textOf: (name: LimitName) => string, currency: CurrencyCode): SetMarketplaceLimitsInput => {
  const limitOf = (name: LimitName): string | null => (textOf(name).trim() === '' ? null : plainAmount(textOf(name)));
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
  const [edited, setEdited] = useState<Partial<Form>>({});
  const textOf = (name: LimitName): string => edited[name] ?? now?.[name] ?? '';
  const act = useSaving({
    id,
    save: (input: SetMarketplaceLimitsInput) => client.marketplaces.setLimits(id, input),
    done: (set) => `The limits for ${set.currency} are set`,
    failed: FAILED,
    onSaved: () => setEdited({}),
  });
  const errors = refusalsOf(act.error, NAMES);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending) act.mutate(inputOf(textOf, currency));
  };
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <div className="marketplaces-fields">
        {FIELDS.map(({ name, label }) => (
          <AmountField
            key={name}
            label={label}
            placeholder="No limit"
            value={textOf(name)}
            error={errors[name]}
            onChange={(event) => setEdited({ ...edited, [name]: event.target.value })}
          />
        ))}
      </div>
      <p className="soft">A day begins at 00:00 UTC. An empty field is no limit; 0.00 forbids it.</p>
      {act.error && (errors[''] || Object.keys(errors).length === 0) ? (
        <ErrorNotice title={errorTitle(FAILED, act.error)} error={act.error} />
      ) : null}
      <div className="row">
        <Button type="submit" tone="accent" isBusy={act.isPending}>
          Set limits
        </Button>
      </div>
    </form>
  );
};
