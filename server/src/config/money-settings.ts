// Settings about money: the base currency, the limits of amounts, the addresses of the outside systems, top-ups and withdrawals, the
// treasuries, and deposits.

import { amount, duration, integer, oneOf, serviceUrl } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

export const MONEY_SETTINGS = {
  money: {
    baseCurrency: setting({
      name: 'BASE_CURRENCY',
      parser: oneOf(['USD', 'USDC', 'XLM']),
      default: 'USD',
      meaning: 'Currency of a balance or an order without a currency.',
      example: 'USDC',
    }),
    orderAmountMin: least('ORDER', 'order'),
    orderAmountMax: most('ORDER', 'order'),
    topupAmountMin: least('TOPUP', 'top-up'),
    topupAmountMax: most('TOPUP', 'top-up'),
    withdrawalAmountMin: least('WITHDRAWAL', 'withdrawal'),
    withdrawalAmountMax: most('WITHDRAWAL', 'withdrawal'),
  },
  providers: {
    escrowUrl: provider('ESCROW_PROVIDER_URL', 'escrow provider'),
    paymentUrl: provider('PAYMENT_PROVIDER_URL', 'payment provider'),
    ledgerUrl: provider('LEDGER_URL', 'ledger network'),
  },
};

function least(prefix: string, noun: string) {
  const meaning = `Smallest amount of one ${noun}.`;
  return setting({ name: `${prefix}_AMOUNT_MIN`, parser: amount, default: '0.01', meaning, example: '1.00' });
}

function most(prefix: string, noun: string) {
  const meaning = `Largest amount of one ${noun}.`;
  return setting({ name: `${prefix}_AMOUNT_MAX`, parser: amount, default: '10000000.00', meaning, example: '5000.00' });
}

function provider(name: string, noun: string) {
  const about = { meaning: `Address of the ${noun}.`, example: 'https://provider.example', unset: `no ${noun}` };
  return optionalSetting({ name, parser: serviceUrl, ...about });
}

export const PAYMENT_SETTINGS = {
  payments: {
    publicUrl: optionalSetting({
      name: 'PUBLIC_URL',
      parser: serviceUrl,
      unset: 'the address that the server listens on',
      meaning: "Address of this server for payers' browsers. The payment provider redirects payers to it.",
      example: 'https://pay.shop.example',
    }),
    sandboxFloat: setting({
      name: 'SANDBOX_FLOAT',
      parser: amount,
      default: '1000000.00',
      meaning:
        'Sandbox only: what each marketplace is allotted of the play money at the payment provider, before its first payout, at most half of what `mkt_default` has.',
      example: '5000.00',
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

export const TREASURY_SETTINGS = {
  treasury: {
    walletStartingXlm: setting({
      name: 'WALLET_STARTING_XLM',
      parser: amount,
      default: '3.00',
      meaning:
        "Amount of the ledger's native asset that a new wallet receives: 1.5 must stay in the wallet, the rest pays its fees. The treasury refills it.",
      example: '5.00',
    }),
    batchMax: setting({
      name: 'TREASURY_BATCH_MAX',
      // A payment is one ledger operation and an activation is two. The network accepts a hundred per transaction.
      parser: integer({ min: 1, max: 50 }),
      default: '50',
      meaning: 'Payments that a treasury combines in one transaction.',
      example: '20',
    }),
    lowUsdc: low('USDC', '100.00'),
    lowXlm: low('XLM', '50.00'),
  },
};

function low(asset: string, usual: string) {
  const meaning = `Health and metrics report a treasury with less ${asset} than this.`;
  return setting({ name: `TREASURY_LOW_${asset}`, parser: amount, default: usual, meaning, example: '1000.00' });
}

export const DEPOSIT_SETTINGS = {
  deposits: {
    currency: optionalSetting({
      name: 'DEPOSIT_CURRENCY',
      parser: oneOf(['USD', 'USDC']),
      unset: 'the base currency, or USDC when that is XLM',
      meaning: 'Currency that a deposit of USDC on the ledger is credited in.',
      example: 'USDC',
    }),
    pollMs: setting({
      name: 'DEPOSIT_POLL_S',
      parser: duration({ unit: 's', min: 1, max: 3_600 }),
      default: '5',
      meaning: 'Interval at which all wallets are polled for deposits.',
      example: '15',
    }),
  },
};
