// Settings about money: the base currency, the limits of amounts, the addresses of the outside systems, top-ups and withdrawals, the
// treasuries, and deposits.

import { amount, duration, integer, isoDuration, oneOf, serviceUrl, words } from './parsers.ts';
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
      meaning:
        'Address of this server for browsers. The payment provider redirects payers to it; invitations and the single sign-on of operators use it.',
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
    lateTopups: setting({
      name: 'LATE_TOPUPS',
      parser: oneOf(['skip', 'credit']),
      default: 'skip',
      meaning:
        "What happens with a top-up that is paid after it had failed, expired or been cancelled. The books have the money as operator:late-topups when the provider's own record confirms the payment. skip: it stays there, and an alert shows it, as in the specification. credit: the user is credited from there, also for payments that were skipped before.",
      example: 'credit',
    }),
    lateTopupWatchMs: setting({
      name: 'LATE_TOPUP_WATCH_DAYS',
      parser: duration({ unit: 'days', min: 0, max: 90 }),
      default: '7',
      meaning:
        'How long the payment provider is read about a top-up after it failed, expired or was cancelled, because it may be paid late and the webhook may be lost. The reads become rarer, down to one a day. 0 reads it once.',
      example: '30',
    }),
    payeeChangeWaitMs: setting({
      name: 'PAYEE_CHANGE_WAIT',
      parser: isoDuration({ daysMax: 30 }),
      default: 'PT0S',
      meaning:
        'How long payouts through the payment provider wait after the payment account of a user was replaced by another one. Withdrawals before that are refused.',
      example: 'PT24H',
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
    walletFeesXlm: setting({
      name: 'WALLET_STARTING_XLM',
      parser: amount,
      default: '1.50',
      meaning:
        'XLM that a wallet receives for its fees when it first pays on the ledger. The treasury refills it. A new wallet begins with nothing, because the treasury locks its reserve of 1.5 XLM; wallets of earlier versions keep their own 1.5 XLM besides this amount.',
      example: '3.00',
    }),
    proofDomain: optionalSetting({
      name: 'WALLET_PROOF_DOMAIN',
      parser: words({ pattern: /^[A-Za-z0-9.:-]{1,59}$/, expects: 'a host name of at most 59 characters' }),
      unset: 'the host name of PUBLIC_URL, else localhost',
      meaning:
        'Host name in the challenges with which users prove that they hold the key of a linked wallet. Wallets show it.',
      example: 'pay.shop.example',
    }),
    challengeMs: setting({
      name: 'WALLET_CHALLENGE_S',
      parser: duration({ unit: 's', min: 60, max: 3_600 }),
      default: '900',
      meaning: 'How long a wallet may take to sign a challenge.',
      example: '300',
    }),
    activationsPerDay: optionalSetting({
      name: 'WALLET_ACTIVATIONS_PER_DAY',
      parser: integer({ min: 1, max: 10_000_000 }),
      unset: '1000 beside a real ledger, no limit with the sandbox',
      meaning:
        'Wallets of users that one marketplace may activate on the ledger in one day (UTC). Each activation locks 1.5 XLM of the treasury, which sponsors the reserve of the wallet. Further requests are answered with 503 and wait for the next day.',
      example: '5000',
    }),
    activationsPerDayOverall: optionalSetting({
      name: 'WALLET_ACTIVATIONS_PER_DAY_OVERALL',
      parser: integer({ min: 1, max: 100_000_000 }),
      unset: '10000 beside a real ledger, no limit with the sandbox',
      meaning: 'The same for all marketplaces together.',
      example: '50000',
    }),
    batchMax: setting({
      name: 'TREASURY_BATCH_MAX',
      // A payment is one ledger operation and an activation is four. A transaction is filled up to the network's limits besides: a hundred
      // operations and twenty signatures.
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
  const locked = asset === 'XLM' ? ' What is locked as the reserve of wallets does not count.' : '';
  const meaning = `Health and metrics report a treasury with less ${asset} than this.${locked}`;
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
      meaning:
        'Interval at which the payments of the ledger are read for deposits. One process reads for all; a full page is followed by the next one at once.',
      example: '15',
    }),
    checkMs: setting({
      name: 'DEPOSIT_CHECK_S',
      parser: duration({ unit: 's', min: 1, max: 86_400 }),
      default: '60',
      meaning:
        'Interval at which the payments that were read for deposits are read a second time, to find what an answer of the ledger left out. Each payment is credited once.',
      example: '300',
    }),
    reconcileMax: setting({
      name: 'RECONCILE_WALLETS_MAX',
      parser: integer({ min: 10, max: 1_000_000 }),
      default: '100',
      meaning:
        'How many wallets one run of reconciliation compares with the ledger, every ten minutes; each costs a request. First those with an open break and those that the ledger has shown since their last comparison, then the next ones of a round through all wallets.',
      example: '2000',
    }),
  },
};
