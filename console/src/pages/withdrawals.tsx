// Withdrawals: money out, through the payment provider or over the ledger, newest first.

import { WITHDRAWAL_STATUSES } from '@holdfast/sdk';
import { useClient } from '../session.tsx';
import { PaymentsPage } from './payments/payments-page.tsx';
import { CreateWithdrawal } from './withdrawals/create-withdrawal.tsx';
import { WITHDRAWAL_COLUMNS } from './withdrawals/withdrawal-columns.tsx';

export const Component = () => {
  const { withdrawals } = useClient();
  return (
    <PaymentsPage
      kind="withdrawals"
      word="withdrawal"
      title="Withdrawals"
      text="Money that goes out. It is set aside when a withdrawal is made, and leaves when whoever pays it says that it was paid."
      next="it is paid out when it is committed."
      statuses={WITHDRAWAL_STATUSES}
      columns={WITHDRAWAL_COLUMNS}
      list={withdrawals.list}
      form={CreateWithdrawal}
    />
  );
};
