// What can be done about a top-up: ask the provider how it stands, or cancel it while the payer has not confirmed it.

import type { TopUp } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { amountOf, formatAmount, ZERO } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/fields.tsx';
import { UserName } from '../../parts/names.tsx';
import { useReason } from '../../parts/rights.ts';
import { statusWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';
import { effectsOn, useBalance } from '../payments/balance-of.ts';

const OVER: readonly TopUp['status'][] = ['TOPUP_SUCCEEDED', 'TOPUP_FAILED', 'TOPUP_CANCELED'];

export const isOver = ({ status }: TopUp): boolean => OVER.includes(status);

const whyNotCancel = ({ status }: TopUp): string | null =>
  status === 'TOPUP_AWAITING_USER_CONFIRMATION'
    ? null
    : `Only one that awaits the payer's confirmation can be cancelled; this one is ${statusWords(status).toLowerCase()}.`;

export const TopupActions = ({ topup }: { readonly topup: TopUp }) => {
  const { id, amount, currency } = topup;
  const client = useClient();
  const mayWrite = useReason('write');
  const [isSure, setSure] = useState(false);
  const [reason, setReason] = useState('');
  const balance = useBalance(topup.userId, currency);
  const shown = `${formatAmount(amountOf(amount))} ${currency}`;
  const touches = [['topups'], ['audit'], ['users']];

  const refresh = useAction({
    run: () => client.topups.refresh(id),
    done: ({ status }) => ({
      title: status === topup.status ? 'Nothing has changed' : `Now: ${statusWords(status).toLowerCase()}`,
      text: 'The payment provider was asked just now.',
    }),
    failed: 'The provider could not be asked',
    touches,
  });
  const cancel = useAction({
    run: () => client.topups.cancel(id, reason.trim() ? { reason: reason.trim() } : {}),
    done: () => ({ title: `Top-up of ${shown} cancelled`, text: 'Nothing was credited. A new one can be made.' }),
    failed: 'The top-up was not cancelled',
    touches,
    quiet: true,
    onDone: () => setSure(false),
  });
  return (
    <>
      <Button icon="refresh" reason={mayWrite} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
        Ask the provider
      </Button>
      <Button tone="bad" icon="close" reason={mayWrite ?? whyNotCancel(topup)} onClick={() => setSure(true)}>
        Cancel it
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={`Cancel the top-up of ${shown}?`}
        confirm={`Cancel ${shown}`}
        tone="bad"
        effects={effectsOn(balance.data, [{ name: 'Available', part: 'available', by: ZERO }], currency)}
        onConfirm={() => cancel.mutate()}
        isBusy={cancel.isPending}
        error={cancel.error}
      >
        <p>
          The payment provider is told to give it up. <UserName id={topup.userId} /> cannot pay it any more, and the
          balance stays as it is.
        </p>
        <TextField
          label="Why"
          hint="Optional; part of the event"
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </Confirm>
    </>
  );
};
