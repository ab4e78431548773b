// Settings of top-ups and withdrawals through the payment provider.

import { duration, integer, serviceUrl } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const PAYMENT_SETTINGS = {
  payments: {
    publicUrl: optionalSetting({
      name: 'PUBLIC_URL',
      parser: serviceUrl,
      unset: 'the address that the server listens on',
      meaning: "Address of this server for payers' browsers. The payment provider redirects payers to it.",
      example: 'https://pay.shop.example',
    }),
    topupRatePerMinute: setting({
      name: 'TOPUP_RATE_PER_MINUTE',
      parser: integer({ min: 0, max: 1_000_000 }),
      default: '0',
      meaning: 'Top-ups that may be created for one user in a minute; 0 is no limit.',
      example: '10',
    }),
    withdrawalRatePerMinute: setting({
      name: 'WITHDRAWAL_RATE_PER_MINUTE',
      parser: integer({ min: 0, max: 1_000_000 }),
      default: '0',
      meaning: 'Withdrawals that may be created for one user in a minute; 0 is no limit.',
      example: '5',
    }),
    withdrawalExpiryMs: setting({
      name: 'WITHDRAWAL_EXPIRY_H',
      parser: duration({ unit: 'h', min: 1, max: 8_760 }),
      default: '24',
      meaning: 'How long a withdrawal may wait for its commit before the money returns to the balance.',
      example: '72',
    }),
    actionUrl: optionalSetting({
      name: 'PAYMENT_ACTION_URL',
      parser: serviceUrl,
      unset: 'no address is shown',
      meaning:
        'Page where users complete what the payment provider requires before it pays. It is shown with a withdrawal that waits for the user.',
      example: 'https://app.provider.example',
    }),
  },
};
