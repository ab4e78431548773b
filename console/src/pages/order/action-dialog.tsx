// The confirmation of an action on an order: its effects in figures, and the fields that the action needs.

import { DISPUTE_OPENERS, DISPUTE_REASONS, type DisputeOpener, type DisputeReason, type Order } from '@holdfast/sdk';
import { isolateBidi } from '../../parts/bidi.ts';
import { SelectField, TextArea, TextField } from '../../parts/fields.tsx';
import { amountOf, formatAmount, ZERO } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import type { Asking } from '../../parts/money/preview.ts';
import { orderTitle } from '../../parts/names.tsx';
import { statusWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';
import { type Action, leftOf } from './action-table.ts';
import { type ActionFields, previewAction } from './run-action.ts';

type Props = {
  readonly order: Order;
  readonly action: Action;
  readonly fields: ActionFields;
  readonly onFields: (fields: ActionFields) => void;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
};

const named = (values: readonly string[]) => values.map((value) => ({ value, name: statusWords(value) }));

export const ActionDialog = (props: Props) => {
  const { order, action, fields, isBusy, error } = props;
  const preview = useActionPreview(props);
  const isMissing = action.name === 'refund' && fields.reason.trim() === '';
  const amount = `${formatAmount(amountOf(leftOf(order)))} ${order.currency}`;
  return (
    <Confirm
      isOpen
      title={`${action.verb}: ${isolateBidi(orderTitle(order))}`}
      preview={preview}
      confirm={isBusy ? 'In progress …' : confirmLabel(action, amount)}
      {...(action.name === 'cancel' ? { dismiss: 'Keep order' } : {})}
      tone={action.tone ?? 'accent'}
      isBusy={isBusy}
      reason={isMissing ? 'Enter a reason: a refund requires one.' : null}
      error={error}
      onClose={props.onClose}
      onConfirm={props.onConfirm}
    >
      <p>{action.description(order)}</p>
      <Fields {...props} />
    </Confirm>
  );
};

const useActionPreview = ({ order, action }: Props): Asking => {
  const client = useClient();
  return {
    key: ['orders', order.id, action.name, order.updatedAt],
    ask: () => previewAction(client, { id: order.id, action: action.name }),
    names: { [order.buyerId]: 'Buyer', [order.sellerId]: 'Seller' },
    inEscrow: order.escrow?.fundedAt ? amountOf(leftOf(order)) : ZERO,
  };
};

const confirmLabel = ({ name, verb }: Action, amount: string): string => {
  if (name === 'reserve') return `Reserve ${amount}`;
  if (name === 'fund') return `Pay ${amount} into escrow`;
  if (name === 'release') return `Release ${amount}`;
  return name === 'refund' ? `Refund ${amount}` : verb;
};

const Fields = ({ action, fields, onFields }: Props) => {
  const change = (part: Partial<ActionFields>): void => onFields({ ...fields, ...part });
  if (action.name === 'dispute') {
    return (
      <>
        <div className="orders-pair">
          <SelectField
            label="Opened by"
            value={fields.openedBy}
            options={named(DISPUTE_OPENERS)}
            onChange={(event) => change({ openedBy: event.target.value as DisputeOpener })}
          />
          <SelectField
            label="Reason"
            value={fields.complaint}
            options={named(DISPUTE_REASONS)}
            onChange={(event) => change({ complaint: event.target.value as DisputeReason })}
          />
        </div>
        <TextArea
          label="Evidence"
          hint="Optional. One link or reference per line."
          value={fields.evidence}
          onChange={(event) => change({ evidence: event.target.value })}
        />
      </>
    );
  }
  if (!['release', 'refund', 'cancel'].includes(action.name)) return null;
  return (
    <TextField
      label={action.name === 'refund' ? 'Reason' : 'Reason (optional)'}
      hint="Stored in the audit trail."
      value={fields.reason}
      onChange={(event) => change({ reason: event.target.value })}
    />
  );
};
