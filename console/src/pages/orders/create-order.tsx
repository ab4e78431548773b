// A new order: who pays whom, how much, in which parts, and what the platform keeps of it. No money moves by making it.

import type { CurrencyCode, Order } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Amount } from '../../parts/amount.tsx';
import { placesOf } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { AmountField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { Notice, Trouble } from '../../parts/notice.tsx';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient } from '../../session.tsx';
import { useConfig } from '../../shell/config.ts';
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
    done: () => ({ title: 'The order is made', text: 'No money has moved. Next: set the buyer’s money aside.' }),
    failed: 'The order was not made',
    touches: [['orders']],
    quiet: true,
    onDone(order) {
      onClose();
      void navigate(`/orders/${order.id}`);
    },
  });
  const own = problemsOf(draft);
  const told = fieldErrorsOf(act.error, FIELDS);
  const errorOf = (name: keyof typeof own | 'title' | 'clientOrderRef' | 'description'): string | undefined =>
    (isTried ? own[name as keyof typeof own] : undefined) ?? told[name];
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
          hint="Also the title of the escrow."
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
              label="Your reference"
              hint="Unique; an order that was made with it is found again."
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
        {told[''] ? <Trouble title="The order was not made" error={act.error} /> : null}
        <div className="dialog-actions">
          <Button onClick={onClose} reason={act.isPending ? 'It is being made.' : null}>
            Leave it
          </Button>
          <Button type="submit" tone="accent" isBusy={act.isPending}>
            Make the order
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
    <Notice title="When it is released">
      <p>
        The seller gets <Amount value={shares.gets} currency={draft.currency} places={placesOf(shares.gets)} />, the
        platform keeps <Amount value={shares.keeps} currency={draft.currency} places={placesOf(shares.keeps)} />.
      </p>
    </Notice>
  );
};
