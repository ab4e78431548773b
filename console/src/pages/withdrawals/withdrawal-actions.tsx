// What can be done about a withdrawal: pay it out, or ask whoever pays it how it stands. There is no way to cancel one by
// hand: uncommitted it goes back by itself.

import type { Withdrawal } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { amountOf, formatAmount } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { useReason } from '../../parts/rights.ts';
import { statusWords } from '../../parts/status.tsx';
import { useClient } from '../../session.tsx';
import { effectsOn, less, useBalance } from '../payments/balance-of.ts';
import { destinationWords } from './destination.ts';

const whyNotCommit = ({ status }: Withdrawal): string | null =>
  status === 'WITHDRAWAL_CREATED'
    ? null
    : `Only a withdrawal that was just made can be committed; this one is ${statusWords(status).toLowerCase()}.`;

export const WithdrawalActions = ({ withdrawal }: { readonly withdrawal: Withdrawal }) => {
  const { id, amount, currency, userId } = withdrawal;
  const client = useClient();
  const mayWrite = useReason('write');
  const [isSure, setSure] = useState(false);
  const balance = useBalance(userId, currency);
  const units = amountOf(amount);
  const shown = `${formatAmount(units)} ${currency}`;
  const touches = [['withdrawals'], ['audit'], ['users'], ['sandbox']];

  const refresh = useAction({
    run: () => client.withdrawals.refresh(id),
    done: ({ status }) => ({
      title: status === withdrawal.status ? 'Nothing has changed' : `Now: ${statusWords(status).toLowerCase()}`,
      text: 'Whoever pays it was asked just now.',
    }),
    failed: 'Whoever pays it could not be asked',
    touches,
  });
  const commit = useAction({
    run: () => client.withdrawals.commit(id),
    done: ({ status }) => ({
      title: status === 'WITHDRAWAL_COMPLETED' ? `${shown} paid out` : `${shown} is on its way`,
      text: 'This page follows it by itself.',
    }),
    failed: 'The withdrawal was not committed',
    touches,
    quiet: true,
    onDone: () => setSure(false),
  });
  return (
    <>
      <Button icon="refresh" reason={mayWrite} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
        Ask who pays it
      </Button>
      <Button
        tone="accent"
        icon="withdrawals"
        reason={mayWrite ?? whyNotCommit(withdrawal)}
        onClick={() => setSure(true)}
      >
        Commit
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={`Pay out ${shown}?`}
        confirm={`Pay out ${shown}`}
        effects={effectsOn(
          balance.data,
          [{ name: 'Reserved, once it is paid', part: 'reserved', by: less(units) }],
          currency,
        )}
        onConfirm={() => commit.mutate()}
        isBusy={commit.isPending}
        error={commit.error}
      >
        <p>
          {shown} of <UserName id={userId} /> goes to {destinationWords(withdrawal.destination)}. The amount is set
          aside already; it leaves when it has been paid, and comes back only when it certainly will not be.
        </p>
      </Confirm>
    </>
  );
};
