// Decides which account the payment provider pays for a withdrawal. The destination that the caller named is paid or refused, never
// replaced. Without one the linked account is paid, and without a link the user's e-mail.

import type { PaymentProvider, PaymentUser } from '../../providers/ports.ts';
import type { User } from '../users/user.ts';

/** `invalid` and `away` make the errors of the request. */
type PayeeParts = {
  readonly payment: Pick<PaymentProvider, 'getUser'>;
  readonly destination: { readonly type: string; readonly email: string | null };
  invalid(reason: string): Error;
  away(reason: string): Error;
};

const isSame = (a: string | null, b: string | null): boolean => a !== null && a.toLowerCase() === b?.toLowerCase();

const textEmail = (text: string | null): string | null => (text?.includes('@') ? text : null);

const lookUp = async (account: string, { payment, invalid, away }: PayeeParts): Promise<PaymentUser | null> => {
  const found = await payment.getUser(account);
  if (found.kind === 'unknown') throw away(found.reason);
  if (found.kind === 'no') throw invalid(found.reason);
  return found.value;
};

/** The e-mail of the linked account. An id is resolved with the provider. */
const linkedEmail = async (user: User, parts: PayeeParts): Promise<string> => {
  const known = user.paymentAccountEmail ?? textEmail(user.paymentAccountUserId);
  const email = known ?? (await lookUp(user.paymentAccountUserId!, parts))?.email ?? null;
  if (email !== null) return email;
  throw parts.invalid(
    'the linked payment account is known only by its id. Link it again by its e-mail, or name its e-mail as destination.email.',
  );
};

/** One account may have several e-mails, so a different e-mail contradicts the link only when it is another account. */
const requireSameAccount = async (user: User, { email, parts }: { email: string; parts: PayeeParts }) => {
  const asked = await lookUp(email, parts);
  const { paymentAccountId, paymentAccountUserId } = user;
  const id = paymentAccountId ?? (await lookUp(paymentAccountUserId!, parts))?.id ?? null;
  if (asked !== null && asked.id === id) return;
  throw parts.invalid(
    'destination.email is another account than the linked payment account. Leave it out, or link that account first.',
  );
};

const emailOf = async (user: User, parts: PayeeParts): Promise<string> => {
  const { email: asked } = parts.destination;
  if (user.paymentAccountUserId === null) {
    const email = asked ?? user.email;
    if (email === null) throw parts.invalid('neither a linked payment account nor an e-mail is known.');
    return email;
  }
  if (asked === null) return linkedEmail(user, parts);
  const linked = user.paymentAccountEmail ?? textEmail(user.paymentAccountUserId);
  if (!isSame(asked, linked)) await requireSameAccount(user, { email: asked, parts });
  return asked;
};

/** The e-mail that the payout names. The provider pays its account there, from which the owner pays out to a bank. */
export const findPayee = async (user: User, parts: PayeeParts): Promise<string> => {
  const email = await emailOf(user, parts);
  const account = await lookUp(email, parts);
  // The provider keeps a bank payout until its receiver has an account there.
  const isMissing = account === null && parts.destination.type === 'payment_account';
  if (isMissing || account?.isActive === false) {
    throw parts.invalid('the payment provider knows no active account with this e-mail.');
  }
  return email;
};
