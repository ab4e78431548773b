// Settings of money in and out through the payment provider.

import { duration, integer, serviceUrl } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const PAYMENT_SETTINGS = {
  payments: {
    publicUrl: optionalSetting({
      name: 'PUBLIC_URL',
      parser: serviceUrl,
      unset: 'the address that the server listens on',
      meaning: "Where payers' browsers reach this server: the payment provider sends them back there.",
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
      meaning: 'How long a withdrawal may wait to be committed before its money goes back to the balance.',
      example: '72',
    }),
    actionUrl: optionalSetting({
      name: 'PAYMENT_ACTION_URL',
      parser: serviceUrl,
      unset: 'none is told',
      meaning:
        'Where users see to what the payment provider asks of them before it pays; told with a withdrawal that waits for it.',
      example: 'https://app.provider.example',
    }),
  },
};
