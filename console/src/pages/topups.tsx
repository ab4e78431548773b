// The list of top-ups: money in through the payment provider, newest first.

import { TOPUP_STATUSES } from '@holdfast/sdk';
import { TOPUP_EXPORT } from '../exports/payments.ts';
import { useClient } from '../session.tsx';
import { TOPUP_COLUMNS } from './payments/columns.tsx';
import { PaymentsPage } from './payments/payments-page.tsx';
import { CreateTopup } from './topups/create-topup.tsx';

export const Component = () => {
  const { topups } = useClient();
  return (
    <PaymentsPage
      kind="topups"
      word="top-up"
      title="Top-ups"
      text="Payments in through the payment provider. A balance is credited when the provider confirms the payment."
      next="the payer then confirms the payment at the provider."
      statuses={TOPUP_STATUSES}
      columns={TOPUP_COLUMNS}
      exported={TOPUP_EXPORT}
      list={topups.list}
      form={CreateTopup}
    />
  );
};
