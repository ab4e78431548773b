// The credit line of a marketplace: how far it may pay out beyond its own float.

import type { Marketplace } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { AmountField } from '../../parts/fields.tsx';
import { plainAmount } from '../../parts/money/amounts.ts';
import { ErrorNotice, errorTitle } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { useClient } from '../../session.tsx';
import { CreditLine } from './figures.tsx';
import { refusalsOf, useSaving } from './saving.ts';

const FAILED = 'The credit line was not set';

export const CreditLinePanel = ({ marketplace: { id, float } }: { readonly marketplace: Marketplace }) => {
  const client = useClient();
  const [edited, setEdited] = useState<string | null>(null);
  const amount = edited ?? float.creditLine;
  const act = useSaving({
    id,
    save: (typed: string) => client.marketplaces.setCreditLine(id, { amount: typed, currency: float.currency }),
    done: ({ float: now }) => `The credit line is ${now.creditLine} ${now.currency}`,
    failed: FAILED,
    onSaved: () => setEdited(null),
  });
  const { amount: wrong, '': other } = refusalsOf(act.error, ['amount']);
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
          onChange={(event) => setEdited(event.target.value)}
        />
        {act.error && !wrong && !other ? <ErrorNotice title={errorTitle(FAILED, act.error)} error={act.error} /> : null}
        <div className="row">
          <Button type="submit" tone="accent" isBusy={act.isPending}>
            Set credit line
          </Button>
        </div>
      </form>
    </Panel>
  );
};
