// Pays or disputes one milestone of an order with two or more of them. The other milestones go on.

import {
  DISPUTE_OPENERS,
  DISPUTE_REASONS,
  type DisputeOpener,
  type DisputeReason,
  type Milestone,
  type Order,
} from '@holdfast/sdk';
import { useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../parts/action.ts';
import { isolateBidi } from '../../parts/bidi.ts';
import { Button } from '../../parts/button.tsx';
import { SelectField, TextField } from '../../parts/fields.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import type { Asking } from '../../parts/money/preview.ts';
import { statusWords } from '../../parts/status.tsx';
import { useClient, useDenial } from '../../session.tsx';

type Props = { readonly order: Order; readonly milestone: Milestone };
type Verb = 'release' | 'refund' | 'dispute';

const WORDS: Readonly<Record<Verb, { verb: string; text: string; done: string; failed: string }>> = {
  release: {
    verb: 'Release',
    text: 'The contract pays the seller this milestone, less its part of the platform fee. This is final.',
    done: 'Milestone released',
    failed: 'The milestone was not released',
  },
  refund: {
    verb: 'Refund',
    text: 'The contract pays this milestone back to the buyer. No platform fee is charged on it. This is final.',
    done: 'Milestone refunded',
    failed: 'The milestone was not refunded',
  },
  dispute: {
    verb: 'Dispute',
    text: 'The milestone stays in escrow until a key with the “support” scope resolves the dispute. The others go on.',
    done: 'Dispute opened',
    failed: 'The dispute was not opened',
  },
};

const verbsFor = ({ order, milestone }: Props): Verb[] => {
  if (order.status !== 'IN_PROGRESS' || order.milestones.length < 2) return [];
  if (milestone.status === 'OPEN') return ['refund', 'dispute'];
  return milestone.status === 'COMPLETED' ? ['release', 'refund', 'dispute'] : [];
};

export const MilestoneActions = ({ order, milestone }: Props) => {
  const writeDenial = useDenial('write');
  const [verb, setVerb] = useState<Verb | null>(null);
  const busy = order.operation ? 'An operation is in progress for this order.' : null;
  if (milestone.status === 'DISPUTED' && milestone.disputeId !== undefined) {
    return <Link to={`/disputes/${milestone.disputeId}`}>Resolve dispute</Link>;
  }
  return (
    <>
      {verbsFor({ order, milestone }).map((each) => (
        <Button
          key={each}
          reason={writeDenial ?? busy}
          aria-label={`${WORDS[each].verb} ${isolateBidi(milestone.title)}`}
          onClick={() => setVerb(each)}
        >
          {WORDS[each].verb}
        </Button>
      ))}
      {verb ? <PayDialog order={order} milestone={milestone} verb={verb} onClose={() => setVerb(null)} /> : null}
    </>
  );
};

type Fields = { readonly reason: string; readonly openedBy: DisputeOpener; readonly complaint: DisputeReason };

const EMPTY: Fields = { reason: '', openedBy: 'BUYER', complaint: 'NOT_DELIVERED' };

const PayDialog = ({
  order,
  milestone,
  verb,
  onClose,
}: Props & { readonly verb: Verb; readonly onClose: () => void }) => {
  const client = useClient();
  const [fields, setFields] = useState(EMPTY);
  const words = WORDS[verb];
  const act = useAction<Order>({
    run: () => {
      const { ref } = milestone;
      const reason = fields.reason.trim();
      if (verb === 'release') return client.orders.releaseMilestone(order.id, { ref, ...(reason ? { reason } : {}) });
      if (verb === 'refund') return client.orders.refundMilestone(order.id, { ref, reason });
      return client.orders.disputeMilestone(order.id, { ref, openedBy: fields.openedBy, reason: fields.complaint });
    },
    done: () => ({ title: words.done }),
    failed: words.failed,
    touches: [['orders'], ['users'], ['disputes']],
    quiet: true,
    onDone: onClose,
  });
  const amount = `${formatAmount(amountOf(milestone.amount))} ${order.currency}`;
  const preview = usePayPreview({ order, milestone, verb });
  return (
    <Confirm
      isOpen
      title={`${words.verb}: ${isolateBidi(milestone.title)}`}
      confirm={act.isPending ? 'In progress …' : verb === 'dispute' ? 'Open dispute' : `${words.verb} ${amount}`}
      preview={preview}
      tone={verb === 'refund' ? 'bad' : 'accent'}
      isBusy={act.isPending}
      reason={verb === 'refund' && fields.reason.trim() === '' ? 'Enter a reason: a refund requires one.' : null}
      error={act.error}
      onClose={onClose}
      onConfirm={() => act.mutate()}
    >
      <p>{words.text}</p>
      <FieldsOf verb={verb} fields={fields} onChange={setFields} />
    </Confirm>
  );
};

const usePayPreview = ({ order, milestone: { ref }, verb }: Props & { readonly verb: Verb }): Asking => {
  const { orders } = useClient();
  const ask = () => {
    const dry = { dryRun: true } as const;
    if (verb === 'release') return orders.releaseMilestone(order.id, { ref }, dry);
    if (verb === 'refund') return orders.refundMilestone(order.id, { ref, reason: 'preview' }, dry);
    return orders.disputeMilestone(order.id, { ref, openedBy: 'BUYER', reason: 'OTHER' }, dry);
  };
  return {
    key: ['orders', order.id, ref, verb, order.updatedAt],
    ask,
    statusOf: (reply) => (reply as Order).milestones.find((each) => each.ref === ref)?.status ?? null,
    names: { [order.buyerId]: 'Buyer', [order.sellerId]: 'Seller' },
    inEscrow: amountOf(order.paid?.left ?? order.amount),
  };
};

type FieldsProps = { readonly verb: Verb; readonly fields: Fields; readonly onChange: (fields: Fields) => void };

const named = (values: readonly string[]) => values.map((value) => ({ value, name: statusWords(value) }));

const FieldsOf = ({ verb, fields, onChange }: FieldsProps) => {
  if (verb !== 'dispute') {
    return (
      <TextField
        label={verb === 'refund' ? 'Reason' : 'Reason (optional)'}
        hint="Stored in the audit trail."
        value={fields.reason}
        onChange={(event) => onChange({ ...fields, reason: event.target.value })}
      />
    );
  }
  return (
    <div className="orders-pair">
      <SelectField
        label="Opened by"
        value={fields.openedBy}
        options={named(DISPUTE_OPENERS)}
        onChange={(event) => onChange({ ...fields, openedBy: event.target.value as DisputeOpener })}
      />
      <SelectField
        label="Reason"
        value={fields.complaint}
        options={named(DISPUTE_REASONS)}
        onChange={(event) => onChange({ ...fields, complaint: event.target.value as DisputeReason })}
      />
    </div>
  );
};
