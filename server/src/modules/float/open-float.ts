// The float opening: the balance at the payment provider before our first payment, booked once as the operator's. The shared account has
// one balance for all marketplaces, so a deployment has one row for it, and one for each own account of a marketplace. The row exists
// even when the amount is zero.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { unknown } from '../../base/answer.ts';
import { type Amount, formatAmount, minus, plus, ZERO } from '../../books/money.ts';
import { command, type Submit } from '../../commit/command.ts';
import { accountsOf } from '../../commit/money.ts';
import { table } from '../../commit/tables.ts';
import type { PaymentAccounts, PaymentPlace, PaymentProvider } from '../../providers/ports.ts';
import { changeAllotted, FLOAT_NEEDS } from './float.ts';
import type { FloatReads } from './queries.ts';

type FloatOpening = {
  readonly id: string;
  readonly amount: Amount;
  readonly createdAt: string;
};

/** The key of the row of the shared account. It does not depend on the marketplace of the first top-up. The provider counts in dollars. */
export const FLOAT_OPENING = { marketplaceId: DEFAULT_MARKETPLACE, id: 'payment-provider', currency: 'USD' } as const;

declare module '../../commit/tables.ts' {
  interface Tables {
    floatOpenings: FloatOpening;
  }
  interface Lookups {
    floatOpenings: Record<never, string>;
  }
}

export const FLOAT_OPENINGS = table('floatOpenings', {
  notFound: 'INTERNAL_ERROR',
  sql: 'float_openings',
  columns: ['id', 'amount', 'createdAt'],
  lookups: {},
});

const { currency } = FLOAT_OPENING;

/** The key of an opening. An own account is opened in its own marketplace, under the provider's id of the account. */
export type FloatPlace = { readonly marketplaceId: string; readonly id: string };

/** An account at the provider. Null: the account that all marketplaces share. */
type OpenInput = { readonly amount: Amount; readonly providerAccount: string | null };

const idOf = (providerAccount: string | null): string => providerAccount ?? FLOAT_OPENING.id;

/** Returns false when the float was opened before. From then on the provider's balance must match the books. */
export const openFloat = command<OpenInput, boolean>({
  name: 'adopt-float',
  needs: ({ providerAccount }) => ({
    rows: [{ table: 'floatOpenings', id: idOf(providerAccount) }, ...FLOAT_NEEDS.rows],
    accounts: accountsOf('float_opening', { currency, providerAccount }),
  }),
  decide({ amount, providerAccount }, work) {
    const id = idOf(providerAccount);
    if (work.find('floatOpenings', id)) return false;
    work.put('floatOpenings', { id, amount, createdAt: work.now });
    if (amount > ZERO) {
      work.move('float_opening', { currency, amount, reference: id, providerAccount });
      if (providerAccount === null) changeAllotted(work, amount);
    }
    work.audit({
      action: 'FLOAT_ADOPTED',
      resourceType: 'PaymentFloat',
      resourceId: id,
      after: { amount: formatAmount(amount), currency },
    });
    return true;
  },
});

/** An own account of a marketplace. */
type OwnPlace = { readonly marketplaceId: string; readonly providerAccount: string };

type FloatParts = {
  readonly submit: Submit;
  readonly payment: Pick<PaymentProvider, 'balance'>;
  readonly reads: Pick<FloatReads, 'isOpened' | 'hasOpenPayments' | 'total'>;
  /** Only for an own account. */
  readonly own?: OwnPlace;
  onTrouble(message: string, error: unknown): void;
};

/** A balance below the books is a break that reconciliation shows, and not an opening. */
const notBelowZero = (amount: Amount): Amount => {
  return amount < ZERO ? ZERO : amount;
};

/** Opens the float before the first payment is requested: the provider may already hold the operator's own money. */
export const createPaymentFloat = ({ submit, payment, reads, own, onTrouble }: FloatParts) => {
  const providerAccount = own?.providerAccount ?? null;
  const marketplaceId = own?.marketplaceId ?? FLOAT_OPENING.marketplaceId;
  const id = idOf(providerAccount);
  let isOpened = false;
  let opening: Promise<void> | null = null;

  const open = async (): Promise<void> => {
    isOpened = await reads.isOpened({ marketplaceId, id });
    // A payment in progress may be in one of the two sums only, so they cannot be compared now.
    if (isOpened || (await reads.hasOpenPayments(providerAccount))) return;
    const known = await reads.total(providerAccount);
    const balance = await payment.balance();
    if (balance.kind !== 'yes') {
      onTrouble("the payment provider's balance could not be read; it will be retried", new Error(balance.reason));
      return;
    }
    const { available, pending } = balance.value;
    const amount = notBelowZero(minus(plus(available, pending), known));
    const actor = { type: 'system', id: FLOAT_OPENING.id } as const;
    const context = { marketplaceId, actor, requestId: 'adopt-float' };
    await submit({ command: openFloat, input: { amount, providerAccount }, context });
    isOpened = true;
  };

  /** Returns whether the float is opened. Delays a payment by one request at most. The next payment tries again. */
  return async (): Promise<boolean> => {
    if (isOpened) return true;
    opening ??= open()
      .catch((error: unknown) => onTrouble('the balance at the payment provider could not be booked yet', error))
      .finally(() => {
        opening = null;
      });
    await opening;
    return isOpened;
  };
};

export type OpenFloat = ReturnType<typeof createPaymentFloat>;

/** A payment and its account at the provider. */
type FloatOfPayment = PaymentPlace & { readonly providerAccount: string | null };

type OwnParts = Omit<FloatParts, 'payment' | 'own'> & {
  readonly shared: OpenFloat;
  readonly accounts: Pick<PaymentAccounts, 'of'>;
};

const NOT_CONFIGURED = unknown('No payment provider is configured.', { code: 'misconfigured', untouched: true });

/** Opens the float of the account that a payment uses. */
export const createFloats = ({ shared, accounts, ...parts }: OwnParts) => {
  const opened = new Map<string, OpenFloat>();
  return async ({ marketplaceId, credentialsId, providerAccount }: FloatOfPayment): Promise<boolean> => {
    if (providerAccount === null) return shared();
    const key = `${marketplaceId} ${providerAccount}`;
    const known = opened.get(key);
    if (known) return known();
    // Asked for each time: the key may be replaced before the balance is read.
    const payment = {
      async balance() {
        const account = await accounts.of({ marketplaceId, credentialsId });
        return account ? account.balance() : NOT_CONFIGURED;
      },
    };
    const open = createPaymentFloat({ ...parts, payment, own: { marketplaceId, providerAccount } });
    opened.set(key, open);
    return open();
  };
};

export type OpenFloatOfPayment = ReturnType<typeof createFloats>;
