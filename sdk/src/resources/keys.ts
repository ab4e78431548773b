// Keys, their short-lived tokens, and who the caller is.

import { type List, listing } from '../pages.ts';
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
  /** Needs the master key. The key itself is in this answer and nowhere else. */
  create: (input: CreateApiKeyInput, options?: CallOptions): Promise<CreatedApiKey> =>
    transport.call(ROUTES.createApiKey, { body: input }, options),

  /** Without their secrets, those that were revoked included. */
  list: (query: ListApiKeysQuery = {}, options?: CallOptions): List<ListedApiKey> =>
    listing(transport, ROUTES.listApiKeys, { query, options }),

  /** Ends it at once and for good, with its tokens and its open streams. */
  revoke: (id: string, options?: CallOptions): Promise<ApiKeyRecord> =>
    transport.call(ROUTES.revokeApiKey, { params: { id } }, options),

  /** Gives it a new secret; the one before works for a while longer. */
  rotate: (id: string, options?: CallOptions): Promise<RotatedApiKey> =>
    transport.call(ROUTES.rotateApiKey, { params: { id } }, options),

  /** For an hour, with the key's scopes or fewer. */
  token: (id: string, input: IssueTokenInput = {}, options?: CallOptions): Promise<AccessToken> =>
    transport.call(ROUTES.issueToken, { params: { id }, body: input }, options),

  /** The key or token that this client uses, and what it may do. */
  me: (options?: CallOptions): Promise<Me> => transport.call(ROUTES.getMe, {}, options),
});
