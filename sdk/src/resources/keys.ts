// API keys, their short-lived tokens, and the identity of the caller.

import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type {
  AccessToken,
  ApiKeyRecord,
  CreateApiKeyInput,
  CreatedApiKey,
  IssueTokenInput,
  ListApiKeysQuery,
  ListedApiKey,
  Me,
  RotatedApiKey,
} from '../printed/keys.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

export const keyResource = (transport: Transport) => ({
  /** Creates a key. Needs the master key. This answer is the only place that shows the secret. */
  create: (input: CreateApiKeyInput, options?: CallOptions): Promise<CreatedApiKey> =>
    transport.call(ROUTES.createApiKey, { body: input }, options),

  /** Lists keys without their secrets, including revoked ones. */
  list: (query: ListApiKeysQuery = {}, options?: CallOptions): List<ListedApiKey> =>
    listing(transport, ROUTES.listApiKeys, { query, options }),

  /** Revokes a key at once and permanently, with its tokens and its open streams. */
  revoke: <O extends CallOptions>(id: string, options?: O): Promise<MaybePreview<ApiKeyRecord, O>> =>
    transport.change<ApiKeyRecord, O>(ROUTES.revokeApiKey, { params: { id } }, options),

  /** Gives a key a new secret; the previous one works for a while longer. */
  rotate: (id: string, options?: CallOptions): Promise<RotatedApiKey> =>
    transport.call(ROUTES.rotateApiKey, { params: { id } }, options),

  /** Creates a token that is valid for an hour, with the scopes of the key or fewer. */
  token: (id: string, input: IssueTokenInput = {}, options?: CallOptions): Promise<AccessToken> =>
    transport.call(ROUTES.issueToken, { params: { id }, body: input }, options),

  /** The key or token of this client, and its scopes. */
  me: (options?: CallOptions): Promise<Me> => transport.call(ROUTES.getMe, {}, options),
});
