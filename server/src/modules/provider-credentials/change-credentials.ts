// The commands that claim an account for a marketplace, set its credentials and remove them. The audit entries contain no secret, sealed or not.

import { command, type UnitOfWork } from '../../commit/command.ts';
import { CREDENTIALS_NEED, findCurrent, PAYMENT_PROVIDER, type ProviderCredentials } from './provider-credentials.ts';

type SetInput = Pick<ProviderCredentials, 'id' | 'providerAccount' | 'baseUrl' | 'payerUrl' | 'sealedSecrets'>;

const shownIn = ({ id, providerAccount, baseUrl, payerUrl }: ProviderCredentials) => ({
  credentialsId: id,
  providerAccount,
  baseUrl,
  payerUrl,
});

const replace = (work: UnitOfWork, current: ProviderCredentials): void =>
  work.put('providerCredentials', { ...current, replacedAt: work.now, updatedAt: work.now });

type ClaimInput = { readonly providerAccount: string; readonly marketplaceId: string };

/**
 * Runs in the default marketplace, so of two marketplaces that are given one account at once the first one has it. Returns the
 * marketplace that has the account. It may be repeated.
 */
export const claimAccount = command<ClaimInput, string>({
  name: 'claim-provider-account',
  needs: ({ providerAccount: id }) => ({ rows: [{ table: 'accountClaims', id }] }),
  decide({ providerAccount, marketplaceId }, work) {
    const claim = work.find('accountClaims', providerAccount);
    if (claim) return claim.claimedBy;
    work.put('accountClaims', { id: providerAccount, claimedBy: marketplaceId, createdAt: work.now });
    work.audit({
      action: 'PROVIDER_ACCOUNT_CLAIMED',
      resourceType: 'ProviderCredentials',
      resourceId: providerAccount,
      after: { marketplaceId },
    });
    return marketplaceId;
  },
});

/** New payments use these credentials. Earlier payments keep theirs. */
export const setCredentials = command<SetInput, ProviderCredentials>({
  name: 'set-provider-credentials',
  needs: ({ id }) => ({ rows: [CREDENTIALS_NEED, { table: 'providerCredentials', id }] }),
  decide(input, work) {
    const former = findCurrent(work);
    if (former) replace(work, former);
    const credentials: ProviderCredentials = {
      ...input,
      provider: PAYMENT_PROVIDER,
      createdAt: work.now,
      replacedAt: null,
      updatedAt: work.now,
    };
    work.put('providerCredentials', credentials);
    work.audit({
      action: 'PROVIDER_CREDENTIALS_SET',
      resourceType: 'ProviderCredentials',
      resourceId: credentials.id,
      ...(former ? { before: shownIn(former) } : {}),
      after: shownIn(credentials),
    });
    return credentials;
  },
});

/** New payments use the shared account again. Returns null when there was nothing to remove. */
export const removeCredentials = command<Readonly<Record<never, never>>, ProviderCredentials | null>({
  name: 'remove-provider-credentials',
  needs: () => ({ rows: [CREDENTIALS_NEED] }),
  decide(_, work) {
    const former = findCurrent(work);
    if (!former) return null;
    replace(work, former);
    work.audit({
      action: 'PROVIDER_CREDENTIALS_REMOVED',
      resourceType: 'ProviderCredentials',
      resourceId: former.id,
      before: shownIn(former),
      after: { credentialsId: null },
    });
    return former;
  },
});
