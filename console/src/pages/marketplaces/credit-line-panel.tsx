// The credit line of a marketplace: how far it may pay out beyond its own float.

import type { Marketplace } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { AmountField } from '../../parts/fields.tsx';
import { plainAmount } from '../../parts/money/amounts.ts';
import { ErrorNotice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';
import { CreditLine } from './figures.tsx';

export const CreditLinePanel = ({ marketplace: { id, float } }: { readonly marketplace: Marketplace }) => {
  const client = useClient();
  const [amount, setAmount] = useState(float.creditLine);
  const act = useAction({
    run: (typed: string) => client.marketplaces.setCreditLine(id, { amount: typed, currency: float.currency }),
    done: ({ float: now }) => ({ title: `The credit line is ${now.creditLine} ${now.currency}` }),
    failed: 'The credit line was not set',
    touches: [['marketplaces'], ['audit']],
    quiet: true,
  });
  const { amount: wrong, '': other } = fieldErrorsOf(act.error, ['amount']);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!act.isPending) act.mutate(plainAmount(amount));
  };
  return (
    <Panel title="Credit line">
      <form className="stack" noValidate onSubmit={submit}>
        <p>
          Used: <CreditLine float={float} /> {float.currency}
        </p>
        <AmountField
          label="Credit line"
          value={amount}
          hint="Payouts beyond the float use the money of the operator and of other marketplaces. 0.00 ends the line; what is used stays owed."
          error={wrong ?? other}
          onChange={(event) => setAmount(event.target.value)}
        />
        {act.error && !wrong && !other ? <ErrorNotice title="The credit line was not set" error={act.error} /> : null}
        <div className="row">
          <Button type="submit" tone="accent" isBusy={act.isPending}>
            Set credit line
          </Button>
        </div>
      </form>
    </Panel>
  );
};
