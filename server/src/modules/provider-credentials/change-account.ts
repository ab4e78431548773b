// Sets and removes the payment account of a marketplace. The provider is asked before anything is stored: a wrong key would leave every
// payment of the marketplace without an answer.

import { DEFAULT_MARKETPLACE } from '@holdfast/contract/ids.ts';
import { DomainError } from '../../base/domain-error.ts';
import { newId } from '../../base/ulid.ts';
import { type Context, runCommand, type Submit } from '../../commit/command.ts';
import { serviceUrl } from '../../config/parsers.ts';
import { validationError } from '../../http/validation/messages.ts';
import type { KeyKeeper } from '../../ledger/keys/key-keeper.ts';
import type { Providers } from '../../providers/providers.ts';
import { claimAccount, removeCredentials, setCredentials } from './change-credentials.ts';
import { PAYMENT_PROVIDER } from './provider-credentials.ts';
import { type CredentialSecrets, sealSecrets } from './secrets.ts';

type Parts = {
  readonly submit: Submit;
  readonly providers: Pick<Providers, 'payment' | 'openPayment'>;
  readonly keeper: KeyKeeper;
  /** Whether a marketplace may have its own address of the provider. */
  readonly ownUrlAllowed: boolean;
};

type RequestedAccount = CredentialSecrets & { readonly baseUrl?: string; readonly payerUrl?: string };

const ACCOUNT_ID = /^[\w-]{1,100}$/;

type Addresses = { readonly baseUrl: string | null; readonly payerUrl: string | null };

const refused = (reason: string): DomainError =>
  new DomainError('PAYMENT_CREDENTIALS_REFUSED', {
    message: `These credentials cannot be used: ${reason} Nothing has changed.`,
    details: { reason },
  });

const unchecked = (reason: string): DomainError =>
  new DomainError('PROVIDER_TIMEOUT', {
    message: 'The payment provider could not check the credentials. Nothing has changed; try again in a few seconds.',
    details: { provider: PAYMENT_PROVIDER, reason },
  });

const addressesOf = ({ baseUrl, payerUrl }: RequestedAccount, ownUrlAllowed: boolean): Addresses => {
  if (baseUrl === undefined && payerUrl === undefined) return { baseUrl: null, payerUrl: null };
  if (!ownUrlAllowed) {
    throw validationError(['baseUrl and payerUrl are allowed only while PAYMENT_PROVIDER_URL_PER_MARKETPLACE is on']);
  }
  if (baseUrl === undefined || payerUrl === undefined) {
    throw validationError(['baseUrl and payerUrl belong together: send both or neither']);
  }
  const parsed = { baseUrl: serviceUrl.read(baseUrl), payerUrl: serviceUrl.read(payerUrl) };
  const problems = (['baseUrl', 'payerUrl'] as const)
    .filter((name) => parsed[name] === undefined)
    .map((name) => `${name} must be ${serviceUrl.expects}`);
  if (problems.length > 0) throw validationError(problems);
  return { baseUrl: parsed.baseUrl ?? null, payerUrl: parsed.payerUrl ?? null };
};

export const createAccountChanges = ({ submit, providers, keeper, ownUrlAllowed }: Parts) => {
  const readAccount = async (secrets: CredentialSecrets, addresses: Addresses): Promise<string> => {
    const payment = providers.openPayment({ key: secrets.apiKey, secret: secrets.apiSecret, ...addresses });
    if (payment === null) {
      throw new DomainError('INTERNAL_ERROR', { message: 'No payment provider is set. Set PAYMENT_PROVIDER_URL.' });
    }
    const answer = await payment.account();
    // The id becomes part of the ids of accounts in the books.
    if (answer.kind === 'yes' && ACCOUNT_ID.test(answer.value.id)) return answer.value.id;
    if (answer.kind === 'yes') throw refused('the payment provider gave an account id that cannot be stored.');
    const isRefusal = answer.kind === 'no' || (answer.code === 'misconfigured' && answer.untouched);
    throw isRefusal ? refused('the payment provider does not accept the key.') : unchecked(answer.reason);
  };

  /** The balance of an account is compared with the books of one marketplace, so no two may use the same account. */
  const requireOwn = async (providerAccount: string, context: Context): Promise<void> => {
    const shared = await providers.payment?.account();
    if (shared && shared.kind !== 'yes') throw unchecked(shared.reason);
    if (shared?.value.id === providerAccount) throw refused('they belong to the account that all marketplaces share.');
    const { marketplaceId } = context;
    const claimedBy = await runCommand(submit, {
      command: claimAccount,
      input: { providerAccount, marketplaceId },
      context: { ...context, marketplaceId: DEFAULT_MARKETPLACE },
    });
    if (claimedBy !== marketplaceId) throw refused(`they belong to the account of ${claimedBy}.`);
  };

  return {
    async set(context: Context, requested: RequestedAccount): Promise<void> {
      const { marketplaceId } = context;
      const addresses = addressesOf(requested, ownUrlAllowed);
      const providerAccount = await readAccount(requested, addresses);
      await requireOwn(providerAccount, context);
      const id = newId('credentials', Date.now());
      const sealedSecrets = await sealSecrets(keeper, {
        secrets: requested,
        place: { marketplaceId, credentialsId: id },
      });
      const input = { id, providerAccount, sealedSecrets, ...addresses };
      await runCommand(submit, { command: setCredentials, input, context });
    },

    async remove(context: Context): Promise<void> {
      await runCommand(submit, { command: removeCredentials, input: {}, context });
    },
  };
};

export type AccountChanges = ReturnType<typeof createAccountChanges>;
