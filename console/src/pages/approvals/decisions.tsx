// The decision about a request: approve it, reject it with a reason, or cancel an own one.

import type { Approval } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/fields.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { useClient } from '../../session.tsx';
import { approvalWords, whoWords } from './approval-words.ts';
import { useFiguresOf } from './figures.ts';

type Verb = 'approve' | 'reject' | 'cancel';

type Props = { readonly approval: Approval; readonly isOwn: boolean };

const SELF = 'You asked for this, so another person decides.';

export const Decisions = ({ approval, isOwn }: Props) => {
  const [verb, setVerb] = useState<Verb | null>(null);
  const onClose = (): void => setVerb(null);
  return (
    <>
      {isOwn ? <Button onClick={() => setVerb('cancel')}>Cancel request</Button> : null}
      <Button tone="bad" reason={isOwn ? SELF : null} onClick={() => setVerb('reject')}>
        Reject
      </Button>
      <Button tone="accent" icon="done" reason={isOwn ? SELF : null} onClick={() => setVerb('approve')}>
        Approve
      </Button>
      {verb === 'approve' ? <Approve approval={approval} onClose={onClose} /> : null}
      {verb === 'reject' ? <Reject approval={approval} onClose={onClose} /> : null}
      {verb === 'cancel' ? <Cancel approval={approval} onClose={onClose} /> : null}
    </>
  );
};

type DialogProps = { readonly approval: Approval; readonly onClose: () => void };

const TOUCHES = [['approvals'], ['orders'], ['users'], ['disputes'], ['withdrawals'], ['keys'], ['audit'], ['alerts']];

const ENDS: Readonly<Partial<Record<Approval['status'], { title: string; text: string }>>> = {
  APPROVED: { title: 'Approved and carried out', text: 'The audit trail names the requester and you.' },
  FAILED: { title: 'Approved, but it no longer fitted', text: 'Nothing moved. The page shows why.' },
};

const Approve = ({ approval, onClose }: DialogProps) => {
  const client = useClient();
  const asking = useFiguresOf(approval);
  const act = useAction({
    run: () => client.approvals.approve(approval.id),
    done: ({ status }) =>
      ENDS[status] ?? { title: 'Approved', text: 'An outside system has not answered yet; the page updates.' },
    failed: 'The request was not approved',
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  // The figures are those of `client.approvals.approve(id, { dryRun: true })`.
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Approve: ${approvalWords(approval.action)}?`}
      confirm="Approve"
      preview={asking}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>
        {whoWords(approval.requestedBy)} asked for this{amountWords(approval)}. It is carried out once, against the
        present state, in the name of the requester. The audit trail names you too.
      </p>
    </Confirm>
  );
};

const amountWords = ({ amount, currency }: Approval): string =>
  amount === null ? '' : `: ${formatAmount(amountOf(amount))} ${currency ?? ''}`.trimEnd();

const Reject = ({ approval, onClose }: DialogProps) => {
  const client = useClient();
  const [reason, setReason] = useState('');
  const input = reason.trim() === '' ? {} : { reason: reason.trim() };
  const act = useAction({
    run: () => client.approvals.reject(approval.id, input),
    done: () => ({ title: 'Rejected', text: 'Nothing moved. The requester sees the reason.' }),
    failed: 'The request was not rejected',
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Reject: ${approvalWords(approval.action)}?`}
      confirm="Reject"
      dismiss="Back"
      tone="bad"
      preview={{
        key: ['approvals', approval.id, 'reject'],
        ask: () => client.approvals.reject(approval.id, {}, { dryRun: true }),
      }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>Nothing moves. {whoWords(approval.requestedBy)} sees the decision and the reason.</p>
      <TextArea label="Reason" value={reason} onChange={(event) => setReason(event.target.value)} />
    </Confirm>
  );
};

const Cancel = ({ approval, onClose }: DialogProps) => {
  const client = useClient();
  const act = useAction({
    run: () => client.approvals.cancel(approval.id),
    done: () => ({ title: 'Request canceled', text: 'Nothing moved.' }),
    failed: 'The request was not canceled',
    touches: TOUCHES,
    quiet: true,
    onDone: onClose,
  });
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Cancel this request?"
      confirm="Cancel request"
      dismiss="Keep it"
      tone="bad"
      preview={{
        key: ['approvals', approval.id, 'cancel'],
        ask: () => client.approvals.cancel(approval.id, { dryRun: true }),
      }}
      onConfirm={() => act.mutate()}
      isBusy={act.isPending}
      error={act.error}
    >
      <p>Nothing moves, and it can no longer be approved. You can ask again.</p>
    </Confirm>
  );
};
