// Previews of top-ups: the commands of a request in a row, with a payment provider that is not called and whose answers are assumed.

import type { Preview } from '../../commit/preview/preview.ts';
import { assumePayments } from '../../providers/payment/assumed-payment.ts';
import type { PaymentAccounts } from '../../providers/ports.ts';
import { type CreateTopUpInput, createTopUp } from './create-topup.ts';
import { noProvider } from './payin-update.ts';
import { createProviderPayin } from './provider-payin.ts';
import { requestTopUpCancel } from './request-cancel.ts';
import type { TopUp } from './topup.ts';

type CancelInput = { readonly topupId: string; readonly reason: string | null };

const payinsOf = (preview: Preview, { amount }: TopUp) => {
  const payment = assumePayments({
    amount,
    onCall: (operation) => preview.call({ system: 'payment-provider', operation }),
  });
  return createProviderPayin({
    submit: preview.submit,
    accounts: { of: async () => payment },
    openFloat: async () => true,
    callbackUrl: () => '',
  });
};

export const createTopUpPreviews = (accounts: Pick<PaymentAccounts, 'current'>) => {
  const requireProvider = async ({ context: { marketplaceId } }: Preview): Promise<void> => {
    if ((await accounts.current(marketplaceId)) === null) throw noProvider();
  };
  return {
    async create(preview: Preview, input: CreateTopUpInput): Promise<TopUp> {
      await requireProvider(preview);
      const topup = await preview.run({ command: createTopUp, input });
      return payinsOf(preview, topup).create({ context: preview.context, topup });
    },

    async cancel(preview: Preview, input: CancelInput): Promise<TopUp> {
      await requireProvider(preview);
      const topup = await preview.run({ command: requestTopUpCancel, input });
      const canceled = await payinsOf(preview, topup).cancel({ context: preview.context, topup });
      return canceled.kind === 'yes' ? canceled.value : topup;
    },
  };
};

export type TopUpPreviews = ReturnType<typeof createTopUpPreviews>;
