// The adapter of the payment provider: Airtm Enterprise, API version 2. Our ids are the provider's unique codes, which makes a
// repeated request safe: an existing payin or payout is looked up and compared instead of created again.

import { type Answer, yes } from '../../base/answer.ts';
import type { Reply } from '../attempt.ts';
import { type Call, type ClientOptions, createClient, type ProviderClient } from '../http-client.ts';
import type { PaymentProvider } from '../payment-port.ts';
import { amountOf, fieldsOf, findText, listOf, textOf } from '../reply-fields.ts';
import { writeNumber } from '../wire-amount.ts';
import { CODES, isMissing, readListedPayout, readPayin, readPayout, readUser, refusalOf } from './read-payment.ts';
import { readCommitment, settleCancellation, settleCommitment, settleCreation } from './settle.ts';

type PaymentProviderOptions = Omit<ClientOptions, 'provider' | 'headers'> & {
  key: string;
  secret: string;
  /** A payer is sent to `${payerUrl}/payin/{id}`. */
  payerUrl: string;
};

const CENTS = { placesMax: 2 };
const DESCRIPTION_MAX = 250;
/** Payouts of a page of the provider's list. */
const PER_PAGE = 100;

export function createPaymentProvider({ key, secret, payerUrl, ...options }: PaymentProviderOptions): PaymentProvider {
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`;
  const client = createClient({ ...options, provider: 'payment-provider', headers: { authorization } });
  return providerOf(client, payerUrl);
}

function providerOf(client: ProviderClient, payerUrl: string): PaymentProvider {
  return {
    ...payinCalls(client, payerUrl),
    ...payoutCalls(client),
    getUser: (account) =>
      find(client, {
        operation: 'get-user',
        path: path('users', account),
        read: ({ json }) => yes(readUser(json, account)),
      }),
    balance: () =>
      client.request({
        operation: 'balance',
        method: 'GET',
        path: '/me/balance',
        repeatable: true,
        read({ json }) {
          const fields = fieldsOf(json, 'The balance');
          return yes({ available: amountOf(fields, 'available'), pending: amountOf(fields, 'pending') });
        },
        readError: refusalOf,
      }),
    account: () =>
      client.request({
        operation: 'account',
        method: 'GET',
        path: '/me',
        repeatable: true,
        read: ({ json }) => yes({ id: textOf(fieldsOf(json, 'The account'), 'id') }),
        readError: refusalOf,
      }),
    withPriority: (priority) => providerOf(client.withPriority(priority), payerUrl),
    forMarketplace: (marketplaceId) => providerOf(client.forMarketplace(marketplaceId), payerUrl),
  };
}

const path = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join('/')}`;

/** Yes with null when the provider does not have it. */
const find = <T>(
  client: ProviderClient,
  call: Pick<Call<T>, 'operation' | 'path' | 'read'>,
): Promise<Answer<T | null>> =>
  client.request<T | null>({
    ...call,
    method: 'GET',
    repeatable: true,
    readError: (reply) => (isMissing(reply) ? yes(null) : refusalOf(reply)),
  });

type PayinCalls = Pick<PaymentProvider, 'createPayin' | 'getPayin' | 'findPayinByCode' | 'cancelPayin'>;

const payinCalls = (client: ProviderClient, payerUrl: string): PayinCalls => {
  const read = ({ json }: Reply) => yes(readPayin(json, payerUrl));
  const getPayin = (id: string) => find(client, { operation: 'get-payin', path: path('payins', id), read });
  const findPayinByCode = (code: string) =>
    find(client, { operation: 'find-payin', path: path('payins', 'by-code', code), read });
  return {
    getPayin,
    findPayinByCode,
    async createPayin({ code, amount, description, returnUrl, cancelUrl }) {
      const shown = description.slice(0, DESCRIPTION_MAX);
      const created = await client.request({
        operation: 'create-payin',
        method: 'POST',
        path: '/payins',
        repeatable: true,
        json() {
          const number = writeNumber(amount, CENTS);
          const items = [{ description: shown, amount: number, quantity: 1 }];
          return { code, amount: number, description: shown, items, confirmationUri: returnUrl, cancelUri: cancelUrl };
        },
        read,
        readError: refusalOf,
      });
      return settleCreation(created, { amount, taken: CODES.payinCodeTaken, lookUp: () => findPayinByCode(code) });
    },
    async cancelPayin(id) {
      const cancelled = await client.request({
        operation: 'cancel-payin',
        method: 'DELETE',
        path: path('payins', id),
        repeatable: true,
        read,
        readError: refusalOf,
      });
      return settleCancellation(cancelled, {
        wanted: 'TOPUP_CANCELED',
        tooLate: CODES.payinNotCancelable,
        lookUp: () => getPayin(id),
      });
    },
  };
};

type PayoutCalls = Pick<
  PaymentProvider,
  'createPayout' | 'commitPayout' | 'cancelPayout' | 'getPayout' | 'findPayoutByCode' | 'listPayouts'
>;

const payoutCalls = (client: ProviderClient): PayoutCalls => {
  const read = ({ json }: Reply) => yes(readPayout(json));
  const getPayout = (id: string) => find(client, { operation: 'get-payout', path: path('payouts', id), read });
  const findPayoutByCode = (code: string) =>
    find(client, { operation: 'find-payout', path: path('payouts', 'by-code', code), read });
  return {
    getPayout,
    findPayoutByCode,
    listPayouts: ({ cursor }) =>
      client.request({
        operation: 'list-payouts',
        method: 'GET',
        path: '/payouts',
        query: { perPage: String(PER_PAGE), ...(cursor === null ? {} : { after: cursor }) },
        repeatable: true,
        read({ json }) {
          const fields = fieldsOf(json, 'The payouts');
          const payouts = listOf(fields.items, 'items').map(readListedPayout);
          return yes({ payouts, next: payouts.length < PER_PAGE ? null : findText(fields, 'endCursor') });
        },
        readError: refusalOf,
      }),
    async createPayout({ code, amount, email, notes, commit }) {
      const created = await client.request({
        operation: 'create-payout',
        method: 'POST',
        path: '/payouts',
        repeatable: true,
        json: () => ({ airtmUserEmail: email, amount: writeNumber(amount, CENTS), notes, commit, code }),
        read,
        readError: refusalOf,
      });
      return settleCreation(created, { amount, taken: CODES.payoutCodeTaken, lookUp: () => findPayoutByCode(code) });
    },
    async commitPayout(id) {
      const committed = await client.request<null>({
        operation: 'commit-payout',
        method: 'POST',
        path: path('payouts', id, 'commit'),
        // The money leaves here: after an unknown outcome the payout is looked up before anything is repeated.
        repeatable: false,
        read: ({ status, json }) => readCommitment({ status, payout: json === undefined ? null : readPayout(json) }),
        readError: refusalOf,
      });
      return settleCommitment(committed, { tooLate: CODES.payoutAlreadyProcessed, lookUp: () => getPayout(id) });
    },
    async cancelPayout(id) {
      const cancelled = await client.request({
        operation: 'cancel-payout',
        method: 'DELETE',
        path: path('payouts', id),
        repeatable: true,
        read,
        readError: refusalOf,
      });
      return settleCancellation(cancelled, {
        wanted: 'WITHDRAWAL_CANCELED',
        tooLate: CODES.payoutNotCancelable,
        lookUp: () => getPayout(id),
      });
    },
  };
};
