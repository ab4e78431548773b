// What these routes take and give.
// Printed from contract/src/api/payment-accounts.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type PaymentProviderAccount = {
  /** The marketplace. */
  marketplaceId: string;
  /** `own`: new payments use the credentials below. `shared`: they use the account of the settings. */
  account: 'own' | 'shared';
  credentials: {
    /** Id of the credentials. */
    id: string;
    /** The payment provider's id of the account. */
    providerAccountId: string;
    /** Own address of the payment provider; null: that of the settings. */
    baseUrl: string | null;
    /** Own address of the payment page; null: that of the settings. */
    payerUrl: string | null;
    /** Which secrets are set. Their values are never shown. */
    secrets: ('apiKey' | 'apiSecret' | 'webhookSecret')[];
    /** When these credentials were set. */
    since: string;
  } | null;
  /** Former credentials, newest first. Payments that began with them are finished with them. */
  former: {
    /** Id of the credentials. */
    id: string;
    /** The payment provider's id of the account. */
    providerAccountId: string;
    /** Own address of the payment provider; null: that of the settings. */
    baseUrl: string | null;
    /** Own address of the payment page; null: that of the settings. */
    payerUrl: string | null;
    /** Which secrets are set. Their values are never shown. */
    secrets: ('apiKey' | 'apiSecret' | 'webhookSecret')[];
    /** When these credentials were set. */
    since: string;
    /** When these credentials were replaced or removed. */
    until: string;
    /** Until when webhooks with this secret are accepted; null while no newer secret of the account exists. */
    webhookSecretUntil: string | null;
    /** Payments that began with these credentials and are not finished. Keep the key valid until it is 0. */
    openPayments: number;
  }[];
};

export type SetPaymentProviderInput = {
  /** Key of the account at the payment provider: the user name of HTTP Basic. */
  apiKey: string;
  /** Secret of the account at the payment provider: the password of HTTP Basic. */
  apiSecret: string;
  /** Verifies the webhooks about payments of this account: whsec_ and at least 22 base64 characters. */
  webhookSecret: string;
  /** Address of the payment provider. Only where PAYMENT_PROVIDER_URL_PER_MARKETPLACE is on. */
  baseUrl?: string;
  /** Address of the payment page. Only where PAYMENT_PROVIDER_URL_PER_MARKETPLACE is on. */
  payerUrl?: string;
};
