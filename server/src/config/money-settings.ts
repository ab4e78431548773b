// Settings about money: the base currency, the limits of amounts, and the addresses of the outside systems.

import { amount, oneOf, serviceUrl } from './parsers.ts';
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
