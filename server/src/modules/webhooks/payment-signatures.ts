// Which secret a payment webhook must be signed with. The event says which payment it is about; the account of that payment decides the
// secret, so the secret of one marketplace never proves anything about the payments of another. A webhook that no secret signed costs one
// read at most: before the payment is found, one of the secrets that could count must match.

import type { Delivery } from '../../http/route.ts';
import { claimsSignature, verifyPaymentWebhook } from '../../providers/webhook-signatures.ts';
import type { FindEventPlaces, PaymentEvent } from './payment-events.ts';
import type { PaymentVerdict } from './routes.ts';

type OwnAccount = { readonly marketplaceId: string; readonly providerAccount: string };

export type PaymentSecrets = {
  /** The secret of the shared account; null: there is none. */
  readonly secret: string | null;
  /** Whether webhooks about the shared account are accepted without a signature: only on a developer's own machine. */
  readonly takesUnsigned: boolean;
  readonly findPlaces: FindEventPlaces;
  /** The secrets of an own account: two during a rotation. */
  secretsOf(account: OwnAccount, nowMs: number): Promise<readonly string[]>;
  /** The secrets of the own accounts of payments with one of these ids, ours or the provider's, by one read. */
  secretsOfPayment(ids: readonly string[], nowMs: number): Promise<readonly string[]>;
};

export const paymentVerifier = ({ secret, takesUnsigned, findPlaces, ...own }: PaymentSecrets) => {
  const findPlace = async (event: PaymentEvent) => {
    if (event.kind === 'payin') return findPlaces.payin(event);
    return event.kind === 'payout' ? findPlaces.payout(event) : null;
  };

  /** An event about no payment of ours is checked with the secret of the shared account. Null: it is not checked. */
  const secretsFor = async (
    { headers }: Delivery,
    { event, now }: { event: PaymentEvent | null; now: number },
  ): Promise<readonly string[] | null> => {
    const place = event && (await findPlace(event));
    if (place && place.providerAccount !== null) {
      return own.secretsOf({ marketplaceId: place.marketplaceId, providerAccount: place.providerAccount }, now);
    }
    if (takesUnsigned && (secret === null || !claimsSignature(headers))) return null;
    return [secret ?? ''];
  };

  /** The reason why no secret that could count signed the webhook. Null: one did, or a signature is not needed. */
  const whyForged = async (
    { headers, rawBody }: Delivery,
    { event, now }: { event: PaymentEvent | null; now: number },
  ): Promise<string | null> => {
    if (takesUnsigned) return null;
    const shared = verifyPaymentWebhook({ headers, rawBody, secret: secret ?? '', now });
    if (shared.genuine) return null;
    if (!shared.mayMatch || event === null || event.kind === 'other') return shared.reason;
    const ids = event.code === null ? [event.id] : [event.code, event.id];
    const secrets = await own.secretsOfPayment(ids, now);
    const isOwn = secrets.some((one) => verifyPaymentWebhook({ headers, rawBody, secret: one, now }).genuine);
    return isOwn ? null : shared.reason;
  };

  return async (delivery: Delivery, event: PaymentEvent | null): Promise<PaymentVerdict> => {
    const now = Date.now();
    const forged = await whyForged(delivery, { event, now });
    if (forged !== null) return { kind: 'forged', reason: forged };
    const secrets = await secretsFor(delivery, { event, now });
    if (secrets === null) return { kind: 'unchecked' };
    const { headers, rawBody } = delivery;
    const verdicts = secrets.map((one) => verifyPaymentWebhook({ headers, rawBody, secret: one, now }));
    if (verdicts.some(({ genuine }) => genuine)) return { kind: 'genuine' };
    const reason = verdicts.flatMap((one) => (one.genuine ? [] : [one.reason]))[0] ?? 'No secret is configured.';
    return { kind: 'forged', reason };
  };
};
