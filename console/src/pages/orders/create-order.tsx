// The form for a new order: parties, amount, milestones and platform fee. Creating an order moves no money.

import type { CurrencyCode, Order } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { AmountField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { placesOf } from '../../parts/money/amounts.ts';
import { ErrorNotice, Notice } from '../../parts/notice.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient, useConfig } from '../../session.tsx';
import { type Draft, emptyDraft, inputOf, problemsOf, sharesOf } from './draft.ts';
import { MilestoneFields } from './milestone-fields.tsx';

const FIELDS = ['buyerId', 'sellerId', 'amount', 'title', 'clientOrderRef', 'description'];
const USUAL_FEE = '5';

export const CreateOrder = ({ onClose }: { readonly onClose: () => void }) => {
  const client = useClient();
  const navigate = useNavigate();
  const config = useConfig();
  const usualFee = config ? String(config.platformFeePercent) : USUAL_FEE;
  const [draft, setDraft] = useState<Draft>(() => emptyDraft(usualFee));
  const [isTried, setTried] = useState(false);
  const act = useAction<Order>({
    run: () => client.orders.create(inputOf(draft, usualFee)),
    done: () => ({ title: 'Order created', text: 'No money has moved. Next: reserve the buyer’s funds.' }),
    failed: 'The order was not created',
    touches: [['orders']],
    quiet: true,
    onDone(order) {
      onClose();
      void navigate(`/orders/${order.id}`);
    },
  });
  const own = problemsOf(draft);
  const serverErrors = fieldErrorsOf(act.error, FIELDS);
  const errorOf = (name: keyof typeof own | 'title' | 'clientOrderRef' | 'description'): string | undefined =>
    (isTried ? own[name as keyof typeof own] : undefined) ?? serverErrors[name];
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(own).length === 0 && !act.isPending) act.mutate();
  };

  return (
    <Dialog isOpen onClose={() => act.isPending || onClose()} title="New order">
      <form className="stack" onSubmit={submit} noValidate>
        <div className="orders-pair">
          <UserPicker
            label="Buyer"
            value={draft.buyerId}
            error={errorOf('buyerId')}
            onChange={(buyerId) => change({ buyerId })}
          />
          <UserPicker
            label="Seller"
            value={draft.sellerId}
            error={errorOf('sellerId')}
            onChange={(sellerId) => change({ sellerId })}
          />
        </div>
        <TextField
          label="Title"
          hint="Also used as the title of the escrow."
          value={draft.title}
          error={errorOf('title')}
          onChange={(event) => change({ title: event.target.value })}
        />
        <div className="orders-figures">
          <AmountField
            label="Amount"
            value={draft.amount}
            error={errorOf('amount')}
            onChange={(event) => change({ amount: event.target.value })}
          />
          <SelectField
            label="Currency"
            value={draft.currency}
            options={(config?.currencies ?? ['USD']).map((value) => ({ value, name: value }))}
            onChange={(event) => change({ currency: event.target.value as CurrencyCode })}
          />
          <TextField
            label="Platform fee, %"
            inputMode="decimal"
            value={draft.fee}
            error={errorOf('fee')}
            onChange={(event) => change({ fee: event.target.value })}
          />
        </div>
        <Shares draft={draft} />
        <MilestoneFields
          draft={draft}
          error={errorOf('milestones')}
          onChange={(milestones) => change({ milestones })}
        />
        <details className="orders-more">
          <summary>Description and reference</summary>
          <div className="stack">
            <TextField
              label="Reference"
              hint="Must be unique. Find the order by it later."
              value={draft.clientOrderRef}
              error={errorOf('clientOrderRef')}
              onChange={(event) => change({ clientOrderRef: event.target.value })}
            />
            <TextArea
              label="Description"
              value={draft.description}
              error={errorOf('description')}
              onChange={(event) => change({ description: event.target.value })}
            />
          </div>
        </details>
        {serverErrors[''] ? <ErrorNotice title="The order was not created" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'The order is being created.' : null}>
            Cancel
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending}>
            Create order
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const Shares = ({ draft }: { readonly draft: Draft }) => {
  const shares = sharesOf(draft);
  if (!shares) return null;
  return (
    <Notice title="On release">
      <p>
        The seller receives <Amount value={shares.gets} currency={draft.currency} places={placesOf(shares.gets)} />, the
        platform fee is <Amount value={shares.keeps} currency={draft.currency} places={placesOf(shares.keeps)} />.
      </p>
    </Notice>
  );
};
