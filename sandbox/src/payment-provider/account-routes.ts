// The payment provider's routes about users and about the enterprise itself.

import { presentCents } from './cents.ts';
import type { CallUnderFaults, PaymentTools } from './payment-provider.ts';
import { problem } from './problems.ts';
import { invalid } from './request-shape.ts';
import { idOfUser, presentUser } from './users.ts';

const CANCEL_PENDING_AFTER_DAYS = 90;

export function accountRoutes({ app, users, balances, enterpriseOf }: PaymentTools, call: CallUnderFaults): void {
  // The real provider finds users only by e-mail. An id is answered with the e-mail, so that payouts to linked ids can be tried.
  app.get<{ Params: { account: string } }>('/users/:account', ({ params: { account } }, reply) =>
    call(reply, {
      operation: 'user-get',
      ids: [account],
      act() {
        if (!/^[^@\s]+(@[^@\s]+)?$/.test(account)) throw invalid('email', 'must be an e-mail address or an id');
        const user = users.find(account);
        if (user === null) throw problem('userNotFound', { email: account });
        return account.includes('@') ? presentUser(user) : { ...presentUser(user), email: user.email };
      },
    }),
  );

  app.get('/me', async (request) => ({
    id: idOfUser(enterpriseOf(request)),
    cancelPendingPayoutsAfterDays: CANCEL_PENDING_AFTER_DAYS,
    payoutRequireIdVerification: true,
  }));

  app.get('/me/balance', async (request) => {
    const { available, pending } = balances(enterpriseOf(request)).read();
    return { available: presentCents(available), pending: presentCents(pending) };
  });
}
