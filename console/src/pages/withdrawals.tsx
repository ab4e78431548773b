// The list of withdrawals: money out through the payment provider or on the ledger, newest first.

import { WITHDRAWAL_STATUSES } from '@holdfast/sdk';
import { WITHDRAWAL_EXPORT } from '../exports/payments.ts';
import { useClient } from '../session.tsx';
import { WITHDRAWAL_COLUMNS } from './payments/columns.tsx';
import { PaymentsPage } from './payments/payments-page.tsx';
import { CreateWithdrawal } from './withdrawals/create-withdrawal.tsx';

export const Component = () => {
  const { withdrawals } = useClient();
  return (
    <PaymentsPage
      kind="withdrawals"
      word="withdrawal"
      title="Withdrawals"
      text="Payments out. The amount is reserved when a withdrawal is created and leaves the balance when the payout is confirmed."
      next="it is paid out when it is committed."
      statuses={WITHDRAWAL_STATUSES}
      columns={WITHDRAWAL_COLUMNS}
      exported={WITHDRAWAL_EXPORT}
      list={withdrawals.list}
      form={CreateWithdrawal}
    />
  );
};
