// Asks the payment provider about an account before it is linked to a user: it must exist and be active, and an id and an e-mail must
// belong to the same account. It changes nothing.

import { DomainError } from '../../base/domain-error.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { PaymentAccounts, PaymentProvider, PaymentUser } from '../../providers/ports.ts';
import type { User } from './user.ts';

/** An account that may be linked. */
export type CheckedAccount = {
  /** As the caller named it: the id when there is one, else the e-mail. */
  readonly paymentAccountUserId: string;
  /** The provider's id; null when no provider is set. */
  readonly accountId: string | null;
  readonly email: string | null;
};

type LinkRequest = { readonly marketplaceId: string; readonly email?: string; readonly paymentAccountUserId?: string };

export type CheckAccount = (user: User, request: LinkRequest) => Promise<CheckedAccount>;

const RETRY_AFTER_S = 5;

const invalid = (reason: string): DomainError =>
  new DomainError('PAYMENT_ACCOUNT_INVALID', {
    message: `This payment account cannot be linked: ${reason} Nothing has changed.`,
    details: { reason },
  });

const away = (reason: string): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message:
      'The payment provider could not be asked about the account. Nothing has changed; try again in a few seconds.',
    details: { retryAfter: RETRY_AFTER_S, provider: 'payment-provider', reason },
  });

const lookUp = async (payment: PaymentProvider, account: string): Promise<PaymentUser> => {
  const found = await payment.getUser(account);
  const byEmail = account.includes('@') ? '' : ' Send the e-mail of the account too.';
  if (found.kind === 'unknown') throw away(found.reason);
  if (found.kind === 'no') throw invalid(`the payment provider refused it: ${found.reason}${byEmail}`);
  if (found.value === null) throw invalid(`the payment provider does not know it.${byEmail}`);
  if (!found.value.isActive)
    throw invalid('it is not active at the payment provider. Its owner has to activate it there.');
  return found.value;
};

/** The same request again needs no second check. */
const isLinked = (user: User, { email, paymentAccountUserId: id }: LinkRequest): boolean =>
  user.paymentAccountId !== null &&
  user.paymentAccountUserId === (id ?? email) &&
  (email === undefined || user.paymentAccountEmail === email);

export const createAccountCheck =
  (accounts: Pick<PaymentAccounts, 'current'>): CheckAccount =>
  async (user, request) => {
    const { marketplaceId, email, paymentAccountUserId: id } = request;
    const named = id ?? email;
    if (named === undefined) throw validationError(['send email, paymentAccountUserId or both']);
    if (isLinked(user, request)) {
      return { paymentAccountUserId: named, accountId: user.paymentAccountId, email: user.paymentAccountEmail };
    }
    const known = email ?? (named.includes('@') ? named : null);
    const payment = await accounts.current(marketplaceId);
    // Without a provider there is no check. A payout checks the account when a provider is set.
    if (payment === null) return { paymentAccountUserId: named, accountId: null, email: known };
    const found = await lookUp(payment, email ?? named);
    if (email !== undefined && id !== undefined && id !== found.id && id !== email) {
      throw invalid('the e-mail belongs to another account than the id. Send one of them, or the pair of one account.');
    }
    return { paymentAccountUserId: named, accountId: found.id, email: known ?? found.email };
  };
