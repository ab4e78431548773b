// The actions of a withdrawal: commit it, or check its status with the provider. A withdrawal cannot be canceled
// manually: without a commit it is canceled after one day.

import type { Withdrawal } from '@holdfast/sdk';
import { useState } from 'react';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { amountOf, formatAmount } from '../../parts/money/amounts.ts';
import { Confirm } from '../../parts/money/confirm.tsx';
import { UserName } from '../../parts/names.tsx';
import { statusWords } from '../../parts/status.tsx';
import { useClient, useDenial } from '../../session.tsx';
import { destinationWords } from './destination.ts';

const whyNotCommit = ({ status }: Withdrawal): string | null =>
  status === 'WITHDRAWAL_CREATED'
    ? null
    : `Only a new withdrawal can be committed. The status is: ${statusWords(status).toLowerCase()}.`;

export const WithdrawalActions = ({ withdrawal }: { readonly withdrawal: Withdrawal }) => {
  const { id, amount, currency, userId } = withdrawal;
  const client = useClient();
  const writeDenial = useDenial('write');
  const payoutDenial = useDenial('payout');
  const [isSure, setSure] = useState(false);
  const shown = `${formatAmount(amountOf(amount))} ${currency}`;
  const touches = [['withdrawals'], ['audit'], ['users'], ['sandbox']];

  const refresh = useAction({
    run: () => client.withdrawals.refresh(id),
    done: ({ status }) => ({
      title: status === withdrawal.status ? 'No change' : `New status: ${statusWords(status).toLowerCase()}`,
      text: 'Checked with the provider just now.',
    }),
    failed: 'The provider could not be reached',
    touches,
  });
  const commit = useAction({
    run: () => client.withdrawals.commit(id),
    done: ({ status }) => ({
      title: status === 'WITHDRAWAL_COMPLETED' ? `${shown} paid out` : `Payout of ${shown} in progress`,
      text: 'This page updates automatically.',
    }),
    failed: 'The withdrawal was not committed',
    touches,
    quiet: true,
    onDone: () => setSure(false),
  });
  return (
    <>
      <Button icon="refresh" reason={writeDenial} isBusy={refresh.isPending} onClick={() => refresh.mutate()}>
        Check with provider
      </Button>
      <Button
        tone="accent"
        icon="withdrawals"
        reason={payoutDenial ?? whyNotCommit(withdrawal)}
        onClick={() => setSure(true)}
      >
        Commit
      </Button>
      <Confirm
        isOpen={isSure}
        onClose={() => setSure(false)}
        title={`Pay out ${shown}?`}
        confirm={`Pay out ${shown}`}
        preview={{
          key: ['withdrawals', id, withdrawal.updatedAt],
          ask: () => client.withdrawals.commit(id, { dryRun: true }),
        }}
        onConfirm={() => commit.mutate()}
        isBusy={commit.isPending}
        error={commit.error}
      >
        <p>
          Pays {shown} of <UserName id={userId} /> to {destinationWords(withdrawal.destination)}. The amount is already
          reserved. It leaves the balance when it is paid, and becomes available again only if the payout certainly
          failed.
        </p>
      </Confirm>
    </>
  );
};
