// The accounts at the payment provider: the shared one of the settings, and the own ones of marketplaces. Each set of credentials has
// its own client, with its own pace and circuit breaker. A row is never changed, so an opened client stays right in every process.

import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import type { PaymentAccounts, PaymentProvider } from '../../providers/ports.ts';
import type { Providers } from '../../providers/providers.ts';
import type { ProviderCredentials } from './provider-credentials.ts';
import type { CredentialReads, PlacedCredentials } from './queries.ts';
import { openSecrets } from './secrets.ts';

type Parts = {
  readonly providers: Pick<Providers, 'payment' | 'openPayment'>;
  readonly reads: Pick<CredentialReads, 'find' | 'current' | 'ofAccount' | 'ofPayment'>;
  readonly keeper: KeyKeeper;
  /** How long a former webhook secret is accepted. */
  readonly overlapMs: number;
};

type Opened = { readonly payment: PaymentProvider | null; readonly webhookSecret: string };

/** Called when the provider does not accept the credentials any more. Null: there are no newer ones of the same account. */
type FindSuccessor = () => Promise<PaymentProvider | null>;

/**
 * A payment is finished with the credentials that it began with. When the provider no longer accepts them, the newer ones of the same
 * account continue: a refused key had no effect, and the payment is in the same account.
 */
const withSuccessor = (payment: PaymentProvider, findSuccessor: FindSuccessor): PaymentProvider => {
  const { withPriority, forMarketplace, ...calls } = payment;
  const passed = Object.keys(calls).map((name) => {
    const call = async (...values: unknown[]): Promise<unknown> => {
      const callsOf = (of: PaymentProvider) =>
        of as unknown as Record<string, (...values: unknown[]) => Promise<unknown>>;
      const answer = (await callsOf(payment)[name]!(...values)) as { kind: string; code?: string; untouched?: boolean };
      if (answer.kind !== 'unknown' || answer.code !== 'misconfigured' || answer.untouched !== true) return answer;
      const next = await findSuccessor();
      return next ? callsOf(next)[name]!(...values) : answer;
    };
    return [name, call];
  });
  return {
    ...(Object.fromEntries(passed) as Omit<PaymentProvider, 'withPriority' | 'forMarketplace'>),
    withPriority: (priority) =>
      withSuccessor(withPriority(priority), async () => (await findSuccessor())?.withPriority(priority) ?? null),
    forMarketplace: (id) =>
      withSuccessor(forMarketplace(id), async () => (await findSuccessor())?.forMarketplace(id) ?? null),
  };
};

export const createPaymentAccounts = ({ providers, reads, keeper, overlapMs }: Parts) => {
  const opened = new Map<string, Promise<Opened>>();

  const openOne = async (marketplaceId: string, credentials: ProviderCredentials): Promise<Opened> => {
    const { id: credentialsId, sealedSecrets: sealed, baseUrl, payerUrl } = credentials;
    const secrets = await openSecrets(keeper, { sealed, place: { marketplaceId, credentialsId } });
    const { apiKey: key, apiSecret: secret, webhookSecret } = secrets;
    return { payment: providers.openPayment({ key, secret, baseUrl, payerUrl }), webhookSecret };
  };

  const open = (marketplaceId: string, credentials: ProviderCredentials): Promise<Opened> => {
    const known = opened.get(credentials.id);
    if (known) return known;
    const opening = openOne(marketplaceId, credentials);
    opened.set(credentials.id, opening);
    // The key-encryption key may be added later: the next call tries again.
    opening.catch(() => opened.delete(credentials.id));
    return opening;
  };

  const clientOf = async (marketplaceId: string, credentials: ProviderCredentials): Promise<PaymentProvider | null> => {
    const { payment } = await open(marketplaceId, credentials);
    if (payment === null || credentials.replacedAt === null) return payment;
    return withSuccessor(payment, async () => {
      const [newest] = await reads.ofAccount(marketplaceId, credentials.providerAccount);
      return newest && newest.id !== credentials.id ? (await open(marketplaceId, newest)).payment : null;
    });
  };

  /** Of these credentials, newest first, those that count now: the newest of each account, and others during a rotation. */
  const secretsOf = (all: readonly PlacedCredentials[], nowMs: number): Promise<string[]> => {
    const isNewest = (one: PlacedCredentials): boolean =>
      all.find(({ providerAccount }) => providerAccount === one.providerAccount) === one;
    const valid = all.filter((one) => isNewest(one) || nowMs < Date.parse(one.replacedAt ?? '') + overlapMs);
    return Promise.all(valid.map(async (one) => (await open(one.marketplaceId, one)).webhookSecret));
  };

  /** The shared account, with requests that count for the marketplace. */
  const sharedFor = (marketplaceId: string): PaymentProvider | null =>
    providers.payment?.forMarketplace(marketplaceId) ?? null;

  const accounts: PaymentAccounts = {
    async of({ marketplaceId, credentialsId }) {
      if (credentialsId === null) return sharedFor(marketplaceId);
      const credentials = await reads.find(marketplaceId, credentialsId);
      if (!credentials) throw new Error(`the provider credentials ${credentialsId} of ${marketplaceId} are missing`);
      return clientOf(marketplaceId, credentials);
    },
    async current(marketplaceId) {
      const credentials = await reads.current(marketplaceId);
      return credentials ? clientOf(marketplaceId, credentials) : sharedFor(marketplaceId);
    },
  };

  return {
    ...accounts,
    /**
     * The secrets that may sign webhooks about payments of an own account: the newest one, and during a rotation the one before it.
     * The provider signs all webhooks of an account with the same secret, whichever key a payment began with.
     */
    async webhookSecrets(
      { marketplaceId, providerAccount }: { marketplaceId: string; providerAccount: string },
      nowMs: number,
    ): Promise<string[]> {
      const all = await reads.ofAccount(marketplaceId, providerAccount);
      return secretsOf(
        all.map((one) => ({ ...one, marketplaceId })),
        nowMs,
      );
    },

    /** The same, for the accounts of payments with one of these ids, ours or the provider's. */
    webhookSecretsOfPayment: async (ids: readonly string[], nowMs: number): Promise<string[]> =>
      secretsOf(await reads.ofPayment(ids), nowMs),
  };
};

export type OwnPaymentAccounts = ReturnType<typeof createPaymentAccounts>;
