// The form that resolves a dispute: the shares, the balances afterwards, and a note. A dialog confirms it before the
// contract pays.

import type { DisputeDecision, DisputeWithOrder, ResolveDisputeInput } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/fields.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { type Asking, usePreview } from '../../parts/money/preview.ts';
import { PreviewPanel } from '../../parts/money/preview-panel.tsx';
import { ErrorNotice, errorTitle } from '../../parts/notice.tsx';
import { useSettled } from '../../parts/settled.ts';
import { useClient, useDenial } from '../../session.tsx';
import { againstDecision, DECISIONS, type Decision, halfOf, inputOf, sentenceAbout } from './decision.ts';
import { SplitSlider } from './split-slider.tsx';

const PREVIEW_MS = 150;

const PAID: Readonly<Record<DisputeDecision, string>> = {
  FULL_RELEASE: 'The seller is paid and the order is closed.',
  FULL_REFUND: 'The buyer is refunded and the order is closed.',
  SPLIT: 'Both parties are paid and the order is closed.',
};

export const ResolveForm = ({ dispute }: { readonly dispute: DisputeWithOrder }) => {
  const { order } = dispute;
  const client = useClient();
  const supportDenial = useDenial('support');
  const [decision, setDecision] = useState<Decision>(() => ({
    decision: 'SPLIT',
    note: '',
    part: halfOf(order),
  }));
  const [isAsking, setAsking] = useState(false);
  const act = useAction<DisputeWithOrder, Decision>({
    run: (decided) => client.disputes.resolve(dispute.id, inputOf(order, decided)),
    done: (_, { decision: how }) => ({ title: 'Dispute resolved', text: PAID[how] }),
    failed: 'The dispute was not resolved',
    touches: [['disputes'], ['orders'], ['users']],
    quiet: true,
    onDone: () => setAsking(false),
  });
  const change = (part: Partial<Decision>): void => setDecision((before) => ({ ...before, ...part }));
  const busy = order.operation ? 'The resolution is in progress.' : null;
  const asking = useDecisionPreview({ dispute, decision, isBusy: act.isPending });
  const previewed = usePreview(asking);
  // The dialog closes when the server has accepted the operation.
  const isOpen = isAsking && !(act.isPending && order.operation !== null);

  return (
    <div className="stack">
      <DecisionChoice value={decision.decision} onChange={(value) => change({ decision: value })} />
      {decision.decision === 'SPLIT' ? (
        <SplitSlider order={order} part={decision.part} onChange={(part) => change({ part })} />
      ) : (
        <p>{sentenceAbout(order, decision)}</p>
      )}
      <PreviewPanel asking={asking} previewed={previewed} />
      <TextArea
        label="Note"
        hint="The reason for the decision. Stored with the dispute and sent in its event."
        value={decision.note}
        onChange={(event) => change({ note: event.target.value })}
      />
      <div className="row">
        <Button
          tone="accent"
          reason={supportDenial ?? busy ?? againstDecision(order, decision)}
          isBusy={act.isPending}
          onClick={() => {
            act.reset();
            setAsking(true);
          }}
        >
          Resolve dispute
        </Button>
      </div>
      <Hint text={supportDenial ?? againstDecision(order, decision)} />
      {act.error && !isOpen ? (
        <ErrorNotice title={errorTitle('The dispute was not resolved', act.error)} error={act.error} />
      ) : null}
      <Confirm
        isOpen={isOpen}
        title="Resolve dispute"
        preview={asking}
        confirm={act.isPending ? 'In progress …' : `Pay out ${formatAmount(amountOf(order.amount))} ${order.currency}`}
        isBusy={act.isPending}
        error={act.error}
        onClose={() => setAsking(false)}
        onConfirm={() => act.mutate(decision)}
      >
        <p>{sentenceAbout(order, decision)} The contract pays on the ledger and the order is closed. This is final.</p>
      </Confirm>
    </div>
  );
};

const Hint = ({ text }: { readonly text: string | null }) => (text ? <p className="soft">{text}</p> : null);

type Previewing = {
  readonly dispute: DisputeWithOrder;
  readonly decision: Decision;
  readonly isBusy: boolean;
};

/** Asked once the choice has rested, not for each step of the slider. */
const useDecisionPreview = ({ dispute: { id, order }, decision, isBusy }: Previewing): Asking => {
  const client = useClient();
  const input = inputOf(order, { ...decision, note: '' });
  const settled = useSettled(JSON.stringify(input), PREVIEW_MS);
  const isAsked = !isBusy && order.operation === null && againstDecision(order, decision) === null;
  return {
    key: ['disputes', id, settled, order.updatedAt],
    ask: isAsked
      ? () => client.disputes.resolve(id, JSON.parse(settled) as ResolveDisputeInput, { dryRun: true })
      : null,
    names: { [order.buyerId]: 'Buyer', [order.sellerId]: 'Seller' },
    inEscrow: amountOf(order.amount),
  };
};

type ChoiceProps = { readonly value: DisputeDecision; readonly onChange: (value: DisputeDecision) => void };

const DecisionChoice = ({ value: chosen, onChange }: ChoiceProps) => (
  <fieldset className="dispute-choices">
    <legend className="field-label">Decision</legend>
    {DECISIONS.map(({ value, name }) => (
      <label key={value} className="dispute-choice">
        <input
          type="radio"
          name="decision"
          value={value}
          checked={chosen === value}
          onChange={(event) => onChange(event.target.value as DisputeDecision)}
        />
        {name}
      </label>
    ))}
  </fieldset>
);
