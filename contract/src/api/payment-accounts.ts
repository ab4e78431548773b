// The own account of a marketplace at the payment provider, for the operator. No answer contains a secret.

import Type from 'typebox';
import { MARKETPLACE_ID_PATTERN } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { endpoint } from './endpoint.ts';
import { Id, Nullable, Strict, Text, Timestamp } from './fields.ts';

const Secret = (description: string) =>
  Type.String({ pattern: '^[\\x21-\\x2b\\x2d-\\x7e]+$', minLength: 1, maxLength: LIMITS.referenceLength, description });

const Address = (description: string, example: string) =>
  Type.Optional(Text(LIMITS.descriptionLength, description, example));

const credentialSet = {
  id: Id('credentials', 'Id of the credentials.'),
  providerAccountId: Type.String({ description: "The payment provider's id of the account." }),
  baseUrl: Nullable(Type.String({ description: 'Own address of the payment provider; null: that of the settings.' })),
  payerUrl: Nullable(Type.String({ description: 'Own address of the payment page; null: that of the settings.' })),
  secrets: Type.Array(Type.Enum(['apiKey', 'apiSecret', 'webhookSecret']), {
    description: 'Which secrets are set. Their values are never shown.',
  }),
  since: Timestamp('When these credentials were set.'),
};

export const PaymentProviderAccount = Type.Object({
  marketplaceId: Type.String({ description: 'The marketplace.' }),
  account: Type.Enum(['own', 'shared'], {
    description: '`own`: new payments use the credentials below. `shared`: they use the account of the settings.',
  }),
  credentials: Nullable(Type.Object(credentialSet)),
  former: Type.Array(
    Type.Object({
      ...credentialSet,
      until: Timestamp('When these credentials were replaced or removed.'),
      webhookSecretUntil: Nullable(
        Timestamp(
          'Until when webhooks with this secret are accepted; null while no newer secret of the account exists.',
        ),
      ),
      openPayments: Type.Integer({
        description:
          'Payments that began with these credentials and are not finished. Keep the key valid until it is 0.',
      }),
    }),
    { description: 'Former credentials, newest first. Payments that began with them are finished with them.' },
  ),
});

// A marketplace is created with its first record, so its id is only checked for its form.
const AccountParams = Strict({
  id: Type.String({ pattern: MARKETPLACE_ID_PATTERN, description: 'Marketplace id.', examples: ['mkt_default'] }),
});

const ofAccount = {
  path: '/marketplaces/:id/payment-provider',
  access: 'master',
  tag: 'Marketplaces',
  params: AccountParams,
} as const;

export const setPaymentProvider = endpoint({
  ...ofAccount,
  method: 'PUT',
  summary: 'Set the payment account of a marketplace',
  description:
    'New payments of the marketplace use its own account at the payment provider from now on, in every process. ' +
    'The provider is asked whether it accepts the key before anything is stored. Payments that began earlier are finished ' +
    'with the credentials that they began with. The same account with another key is a rotation: both webhook secrets are ' +
    'accepted for PAYMENT_CREDENTIALS_OVERLAP_H. The secrets are stored encrypted and never shown.',
  body: Strict({
    apiKey: Secret('Key of the account at the payment provider: the user name of HTTP Basic.'),
    apiSecret: Secret('Secret of the account at the payment provider: the password of HTTP Basic.'),
    webhookSecret: Type.String({
      pattern: '^whsec_[A-Za-z0-9+/]{22,}={0,2}$',
      maxLength: LIMITS.referenceLength,
      description: 'Verifies the webhooks about payments of this account: whsec_ and at least 22 base64 characters.',
    }),
    baseUrl: Address(
      'Address of the payment provider. Only where PAYMENT_PROVIDER_URL_PER_MARKETPLACE is on.',
      'https://provider.example',
    ),
    payerUrl: Address(
      'Address of the payment page. Only where PAYMENT_PROVIDER_URL_PER_MARKETPLACE is on.',
      'https://pay.provider.example',
    ),
  }),
  status: 200,
  wrapping: 'plain',
  data: PaymentProviderAccount,
  errors: ['MARKETPLACE_NOT_FOUND', 'PAYMENT_CREDENTIALS_REFUSED', 'PROVIDER_TIMEOUT'],
});

export const getPaymentProvider = endpoint({
  ...ofAccount,
  method: 'GET',
  summary: 'Get the payment account of a marketplace',
  description: 'Which credentials are set and since when. Never a secret.',
  status: 200,
  wrapping: 'plain',
  data: PaymentProviderAccount,
  errors: ['MARKETPLACE_NOT_FOUND'],
});

export const removePaymentProvider = endpoint({
  ...ofAccount,
  method: 'DELETE',
  summary: 'Return a marketplace to the shared payment account',
  description:
    'New payments use the account of the settings. Payments that began with the own account are finished there, and its ' +
    'money stays there. Without own credentials the answer is the same and nothing changes.',
  status: 200,
  wrapping: 'plain',
  data: PaymentProviderAccount,
  errors: ['MARKETPLACE_NOT_FOUND'],
});
