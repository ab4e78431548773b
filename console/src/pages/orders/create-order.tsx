// The form for a new order: parties, amount, milestones and platform fee. Creating an order moves no money.

import type { CreateOrderInput, CurrencyCode, Order } from '@holdfast/sdk';
import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { fieldErrorsOf } from '../../api.ts';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { AmountField, SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { amountOf } from '../../parts/money/amounts.ts';
import { type Asking, usePreview } from '../../parts/money/preview.ts';
import { PreviewPanel } from '../../parts/money/preview-panel.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { useSettled } from '../../parts/settled.ts';
import { UserPicker } from '../../parts/user-picker.tsx';
import { useClient, useConfig } from '../../session.tsx';
import { usePolicyNames } from '../policies/policy-names.ts';
import { type Draft, emptyDraft, inputOf, type Problems, problemsOf } from './draft.ts';
import { MilestoneFields } from './milestone-fields.tsx';

const FIELDS = ['buyerId', 'sellerId', 'amount', 'title', 'clientOrderRef', 'description', 'policy'];
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
  const errorOf = (name: FieldName): string | undefined =>
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
        <MainFields draft={draft} errorOf={errorOf} onChange={change} />
        <PolicyField draft={draft} errorOf={errorOf} onChange={change} />
        <OrderPreview draft={draft} usualFee={usualFee} isBusy={act.isPending} />
        <MilestoneFields
          draft={draft}
          error={errorOf('milestones')}
          onChange={(milestones) => change({ milestones })}
        />
        <MoreFields draft={draft} errorOf={errorOf} onChange={change} />
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

type FieldName = keyof Problems | 'title' | 'clientOrderRef' | 'description' | 'policy';

type FieldsProps = {
  readonly draft: Draft;
  readonly errorOf: (name: FieldName) => string | undefined;
  readonly onChange: (part: Partial<Draft>) => void;
};

const MainFields = ({ draft, errorOf, onChange }: FieldsProps) => {
  const currencies = useConfig()?.currencies ?? ['USD'];
  return (
    <>
      <div className="orders-pair">
        <UserPicker
          label="Buyer"
          value={draft.buyerId}
          error={errorOf('buyerId')}
          onChange={(buyerId) => onChange({ buyerId })}
        />
        <UserPicker
          label="Seller"
          value={draft.sellerId}
          error={errorOf('sellerId')}
          onChange={(sellerId) => onChange({ sellerId })}
        />
      </div>
      <TextField
        label="Title"
        hint="Also used as the title of the escrow."
        value={draft.title}
        error={errorOf('title')}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <div className="orders-figures">
        <AmountField
          label="Amount"
          value={draft.amount}
          error={errorOf('amount')}
          onChange={(event) => onChange({ amount: event.target.value })}
        />
        <SelectField
          label="Currency"
          value={draft.currency}
          options={currencies.map((value) => ({ value, name: value }))}
          onChange={(event) => onChange({ currency: event.target.value as CurrencyCode })}
        />
        <TextField
          label="Platform fee, %"
          inputMode="decimal"
          value={draft.fee}
          error={errorOf('fee')}
          onChange={(event) => onChange({ fee: event.target.value })}
        />
      </div>
    </>
  );
};

/** Only where the marketplace has policies. */
const PolicyField = ({ draft, errorOf, onChange }: FieldsProps) => {
  const names = usePolicyNames();
  if (names.length === 0) return null;
  return (
    <SelectField
      label="Policy"
      hint="Its deadlines begin with the order. Its fee counts when the fee above is unchanged."
      value={draft.policy}
      error={errorOf('policy')}
      options={[{ value: '', name: 'None' }, ...names.map((name) => ({ value: name, name }))]}
      onChange={(event) => onChange({ policy: event.target.value })}
    />
  );
};

const MoreFields = ({ draft, errorOf, onChange }: FieldsProps) => (
  <details className="orders-more">
    <summary>Description and reference</summary>
    <div className="stack">
      <TextField
        label="Reference"
        hint="Must be unique. Find the order by it later."
        value={draft.clientOrderRef}
        error={errorOf('clientOrderRef')}
        onChange={(event) => onChange({ clientOrderRef: event.target.value })}
      />
      <TextArea
        label="Description"
        value={draft.description}
        error={errorOf('description')}
        onChange={(event) => onChange({ description: event.target.value })}
      />
    </div>
  </details>
);

const PREVIEW_MS = 300;

type PreviewProps = { readonly draft: Draft; readonly usualFee: string; readonly isBusy: boolean };

/** The shares on release as the server computes them, once the draft has rested. */
const OrderPreview = ({ draft, usualFee, isBusy }: PreviewProps) => {
  const client = useClient();
  const isComplete = Object.keys(problemsOf(draft)).length === 0;
  const settled = useSettled(isComplete ? JSON.stringify(inputOf(draft, usualFee)) : '', PREVIEW_MS);
  const isAsked = isComplete && settled !== '' && !isBusy;
  const asking: Asking = {
    key: ['orders', 'new', settled],
    ask: isAsked ? () => client.orders.create(JSON.parse(settled) as CreateOrderInput, { dryRun: true }) : null,
    more(reply) {
      const { currency, sellerNet, platformFeeAmount } = reply as Order;
      return [
        { name: 'Seller, on release', currency, change: amountOf(sellerNet) },
        { name: 'Platform fee, on release', currency, change: amountOf(platformFeeAmount) },
      ];
    },
  };
  const previewed = usePreview(asking);
  return isComplete ? <PreviewPanel asking={asking} previewed={previewed} /> : null;
};
