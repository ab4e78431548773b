// The payment provider's adapter: Airtm Enterprise, API version 2. Our own ids are the provider's unique codes, which
// makes asking twice harmless: what is there already is looked up and compared instead of made again.

import { type Answer, yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import { type Call, type ClientOptions, createClient } from '../http-client.ts';
import type { PaymentProvider } from '../payment-port.ts';
import { amountOf, fieldsOf } from '../reply-fields.ts';
import { writeNumber } from '../wire-amount.ts';
import { CODES, isMissing, refusalOf } from './problems.ts';
import { readPayin, readPayout, readUser } from './read-payment.ts';
import { readCommitment, settleCancellation, settleCommitment, settleCreation } from './settle.ts';

export type PaymentProviderOptions = Omit<ClientOptions, 'provider' | 'headers'> & {
  key: string;
  secret: string;
  /** A payer is sent to `${payerUrl}/payin/{id}`. */
  payerUrl: string;
};

const CENTS = { placesMax: 2 };
const DESCRIPTION_MAX = 250;

export function createPaymentProvider({ key, secret, payerUrl, ...options }: PaymentProviderOptions): PaymentProvider {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const client = createClient({ ...options, provider: 'payment-provider', headers: { authorization } });
  const payinOf = ({ json }: Reply) => yes(readPayin(json, payerUrl));
  const payoutOf = ({ json }: Reply) => yes(readPayout(json));

  type Look<T> = Pick<Call<T>, 'operation' | 'path' | 'read'>;
  const find = <T>(look: Look<T>): Promise<Answer<T | null>> =>
    client.ask<T | null>({
      ...{ ...look, method: 'GET', repeatable: true },
      otherwise: (reply) => (isMissing(reply) ? yes(null) : refusalOf(reply)),
    });
  const path = (...parts: string[]) => `/${parts.map(encodeURIComponent).join('/')}`;

  const findPayin = (operation: string, ...parts: string[]) =>
    find({ operation, path: path('payins', ...parts), read: payinOf });
  const findPayout = (operation: string, ...parts: string[]) =>
    find({ operation, path: path('payouts', ...parts), read: payoutOf });

  const provider: PaymentProvider = {
    async createPayin({ code, amount, description, returnUrl, cancelUrl }) {
      const shown = description.slice(0, DESCRIPTION_MAX);
      const made = await client.ask({
        ...{ operation: 'create-payin', method: 'POST', path: '/payins', repeatable: true },
        json() {
          const number = writeNumber(amount, CENTS);
          const items = [{ description: shown, amount: number, quantity: 1 }];
          return { code, amount: number, description: shown, items, confirmationUri: returnUrl, cancelUri: cancelUrl };
        },
        read: payinOf,
        otherwise: refusalOf,
      });
      return settleCreation(made, { amount, again: () => provider.findPayinByCode(code) });
    },
    getPayin: (id) => findPayin('get-payin', id),
    findPayinByCode: (code) => findPayin('find-payin', 'by-code', code),
    async cancelPayin(id) {
      const cancelled = await client.ask({
        ...{ operation: 'cancel-payin', method: 'DELETE', path: path('payins', id), repeatable: true },
        read: payinOf,
        otherwise: refusalOf,
      });
      const done = { wanted: 'TOPUP_CANCELED', tooLate: CODES.payinNotCancelable } as const;
      return settleCancellation(cancelled, { ...done, again: () => provider.getPayin(id) });
    },

    async createPayout({ code, amount, email, notes, commit }) {
      const made = await client.ask({
        ...{ operation: 'create-payout', method: 'POST', path: '/payouts', repeatable: true },
        json: () => ({ airtmUserEmail: email, amount: writeNumber(amount, CENTS), notes, commit, code }),
        read: payoutOf,
        otherwise: refusalOf,
      });
      return settleCreation(made, { amount, again: () => provider.findPayoutByCode(code) });
    },
    async commitPayout(id) {
      const committed = await client.ask<null>({
        // Here the money leaves: after a doubt somebody looks first.
        ...{ operation: 'commit-payout', method: 'POST', path: path('payouts', id, 'commit'), repeatable: false },
        read: ({ status, json }) => readCommitment({ status, payout: json === undefined ? null : readPayout(json) }),
        otherwise: refusalOf,
      });
      return settleCommitment(committed, {
        tooLate: CODES.payoutAlreadyProcessed,
        again: () => provider.getPayout(id),
      });
    },
    async cancelPayout(id) {
      const cancelled = await client.ask({
        ...{ operation: 'cancel-payout', method: 'DELETE', path: path('payouts', id), repeatable: true },
        read: payoutOf,
        otherwise: refusalOf,
      });
      const done = { wanted: 'WITHDRAWAL_CANCELED', tooLate: CODES.payoutNotCancelable } as const;
      return settleCancellation(cancelled, { ...done, again: () => provider.getPayout(id) });
    },
    getPayout: (id) => findPayout('get-payout', id),
    findPayoutByCode: (code) => findPayout('find-payout', 'by-code', code),

    getUser: (email) =>
      find({ operation: 'get-user', path: path('users', email), read: ({ json }) => yes(readUser(json)) }),
    balance() {
      return client.ask({
        ...{ operation: 'balance', method: 'GET', path: '/me/balance', repeatable: true },
        read({ json }) {
          const fields = fieldsOf(json, 'The balance');
          return yes({ available: amountOf(fields, 'available'), pending: amountOf(fields, 'pending') });
        },
        otherwise: refusalOf,
      });
    },
  };
  return provider;
}
