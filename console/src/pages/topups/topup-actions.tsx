// The actions of a top-up: check its status with the provider, or cancel it before the payer has confirmed it.

import type { TopUp } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { statusWords } from '../../parts/status.tsx';
import { useClient, useDenial } from '../../session.tsx';

const OVER: readonly TopUp['status'][] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];

export const isOver = ({ status }: TopUp): boolean => OVER.includes(status);

const whyNotCancel = ({ status }: TopUp): string | null =>
  status === 'TOPUP_AWAITING_USER_CONFIRMATION'
    ? null
    : `Only a top-up that awaits user confirmation can be canceled. The status is: ${statusWords(status).toLowerCase()}.`;

export const TopupActions = ({ topup }: { readonly topup: TopUp }) => {
  const { id, amount, currency } = topup;
  const client = useClient();
  const writeDenial = useDenial('write');
  const [isSure, setSure] = useState(false);
  const [reason, setReason] = useState('');
  const shown = `${formatAmount(amountOf(amount))} ${currency}`;
  const touches = [['topups'], ['audit'], ['users']];

  const refresh = useAction({
    run: () => client.topups.refresh(id),
    done: ({ status }) => ({
      title: status === topup.status ? 'No change' : `New status: ${statusWords(status).toLowerCase()}`,
      text: 'Checked with the provider just now.',
    }),
    failed: 'The provider could not be reached',
    touches,
  });
  const cancel = useAction({
    run: () => client.topups.cancel(id, reason.trim() ? { reason: reason.trim() } : {}),
    done: () => ({ title: `Top-up of ${shown} canceled`, text: 'Nothing was credited.' }),
    failed: 'The top-up was not canceled',
    touches,
    quiet: true,
    onDone: () => setSure(false),
  });
  return (
    <>
      <Button icon="refresh" reason={writeDenial} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
        Check with provider
      </Button>
      <Button tone="bad" icon="close" reason={writeDenial ?? whyNotCancel(topup)} onClick={() => setSure(true)}>
        Cancel top-up
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={`Cancel the top-up of ${shown}?`}
        confirm="Cancel top-up"
        dismiss="Keep top-up"
        tone="bad"
        preview={{ key: ['topups', id, topup.updatedAt], ask: () => client.topups.cancel(id, {}, { dryRun: true }) }}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
        error={cancel.error}
      >
        <p>
          Cancels the pay-in at the payment provider. <UserName id={topup.userId} /> can no longer pay it. The balance
          does not change.
        </p>
        <TextField
          label="Reason"
          hint="Optional. Sent in the event."
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </>
  );
};
