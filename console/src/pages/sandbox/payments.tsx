// The pending pay-ins and payouts of the simulated payment provider, each with its possible outcomes.

import type { PayinDecision, PayoutDecision, SandboxPayin, SandboxPayout } from '@holdfast/sdk';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { Id } from '../../parts/id.tsx';
import { Amount } from '../../parts/money/amount.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { SimulatedTime } from '../../parts/simulated-time.tsx';
import { Status, statusWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';

type Choice<Decision> = {
  readonly decision: Decision;
  readonly words: string;
  /** The provider's statuses in which the outcome is possible. */
  readonly from: readonly string[];
  readonly tone?: 'accent' | 'bad';
};

const PAYIN_CHOICES: readonly Choice<PayinDecision>[] = [
  { decision: 'confirm', words: 'Confirm', from: ['CREATED', 'PROCESSING'], tone: 'accent' },
  { decision: 'process', words: 'Process', from: ['CREATED'] },
  { decision: 'fail', words: 'Fail', from: ['CREATED', 'PROCESSING'], tone: 'bad' },
  { decision: 'cancel', words: 'Cancel', from: ['CREATED', 'PROCESSING'] },
];

const UNDER_WAY = ['COMMITTED', 'PENDING', 'PENDING_USER_ACTION'];
const PAYOUT_CHOICES: readonly Choice<PayoutDecision>[] = [
  { decision: 'complete', words: 'Complete', from: UNDER_WAY, tone: 'accent' },
  { decision: 'pend', words: 'Set pending', from: ['COMMITTED', 'PENDING_USER_ACTION'] },
  { decision: 'require-action', words: 'Require user action', from: ['COMMITTED', 'PENDING'] },
  { decision: 'fail', words: 'Fail', from: ['CREATED', ...UNDER_WAY], tone: 'bad' },
  { decision: 'cancel', words: 'Cancel', from: ['CREATED', ...UNDER_WAY] },
];

const TOUCHED = [['sandbox'], ['topups'], ['withdrawals'], ['users']];

export const PayinsPanel = ({ payins }: { readonly payins: readonly SandboxPayin[] }) => {
  const client = useClient();
  const [reason, setReason] = useState('');
  const act = useAction({
    run: ({ id, decision }: Decided<PayinDecision>) =>
      client.sandbox.decidePayin(id, decision, reason.trim() ? { reason: reason.trim() } : {}),
    done: ({ status, topupId }) => ({
      title: `Pay-in: ${statusWords(status).toLowerCase()}`,
      text: `A webhook was sent for top-up ${topupId}.`,
    }),
    failed: 'The pay-in was not changed',
    touches: TOUCHED,
  });
  return (
    <DecisionPanel
      title="Pay-ins"
      rows={payins.map((payin) => ({ ...payin, about: payin.topupId }))}
      choices={PAYIN_CHOICES}
      reason={reason}
      onReason={setReason}
      busyId={act.isPending ? act.variables.id : null}
      onDecide={act.mutate}
      empty={<Empty title="No pending pay-ins">Create a top-up to simulate its payer here.</Empty>}
    />
  );
};

export const PayoutsPanel = ({ payouts }: { readonly payouts: readonly SandboxPayout[] }) => {
  const client = useClient();
  const [reason, setReason] = useState('');
  const act = useAction({
    run: ({ id, decision }: Decided<PayoutDecision>) =>
      client.sandbox.decidePayout(id, decision, reason.trim() ? { reason: reason.trim() } : {}),
    done: ({ status, withdrawalId }) => ({
      title: `Payout: ${statusWords(status).toLowerCase()}`,
      text: `A webhook was sent for withdrawal ${withdrawalId}.`,
    }),
    failed: 'The payout was not changed',
    touches: TOUCHED,
  });
  return (
    <DecisionPanel
      title="Payouts"
      rows={payouts.map((payout) => ({ ...payout, about: payout.withdrawalId }))}
      choices={PAYOUT_CHOICES}
      reason={reason}
      onReason={setReason}
      busyId={act.isPending ? act.variables.id : null}
      onDecide={act.mutate}
      empty={
        <Empty title="No pending payouts">
          Commit a withdrawal to a bank or payment account to simulate its payout here.
        </Empty>
      }
    />
  );
};

type Decided<Decision> = { readonly id: string; readonly decision: Decision };

type Row = {
  readonly id: string;
  readonly about: string;
  readonly status: string;
  readonly amount: string;
  readonly updatedAt: string;
};

type PanelProps<Decision> = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly choices: readonly Choice<Decision>[];
  readonly reason: string;
  readonly onReason: (reason: string) => void;
  readonly busyId: string | null;
  readonly onDecide: (decided: Decided<Decision>) => void;
  readonly empty: ReactNode;
};

const DecisionPanel = <Decision extends string>(props: PanelProps<Decision>) => {
  const { title, rows, choices, reason, onReason, busyId, onDecide, empty } = props;
  const isOpen = (row: Row): boolean => choices.some(({ from }) => from.includes(row.status));
  const waiting = rows.filter(isOpen);
  const decided = rows.filter((row) => !isOpen(row));
  return (
    <Panel title={`Pending ${title.toLowerCase()}`} flush>
      {waiting.length === 0 ? (
        empty
      ) : (
        <>
          <ul className="sandbox-list">
            {waiting.map((row) => (
              <li key={row.id} className="sandbox-decision">
                <RowWords row={row} />
                <div className="row">
                  {choices
                    .filter(({ from }) => from.includes(row.status))
                    .map(({ decision, words, tone }) => (
                      <Button
                        key={decision}
                        {...(tone ? { tone } : {})}
                        isBusy={busyId === row.id}
                        aria-label={`${words} ${row.about}`}
                        onClick={() => onDecide({ id: row.id, decision })}
                      >
                        {words}
                      </Button>
                    ))}
                </div>
              </li>
            ))}
          </ul>
          <div className="sandbox-reason">
            <TextField
              label={`Reason for ${title.toLowerCase()}`}
              hint="Optional. Sent by the provider with a failure or a cancellation."
              value={reason}
              onChange={(event) => onReason(event.target.value)}
            />
          </div>
        </>
      )}
      {decided.length > 0 ? (
        <details className="sandbox-decided">
          <summary>{decided.length} finished</summary>
          <ul className="sandbox-list">
            {decided.map((row) => (
              <li key={row.id} className="sandbox-decision">
                <RowWords row={row} />
              </li>
            ))}
          </ul>
        </details>
      ) : null}
    </Panel>
  );
};

const RowWords = ({ row }: { readonly row: Row }) => (
  <div className="row row-between">
    <span className="row">
      <Id value={row.about} copy={false} />
      <Status value={row.status} />
    </span>
    <span className="row">
      <Amount value={row.amount} currency="USD" />
      <span className="soft">
        <SimulatedTime value={row.updatedAt} />
      </span>
    </span>
  </div>
);
