// A real OpenID provider in this process for tests of the single sign-on, and a server that uses it.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { afterwards, type Hooks } from '../../tools/test-database/afterwards.ts';
import { startApp } from './app.ts';

export type Account = { readonly sub: string; readonly email: string; readonly isVerified?: boolean };

export const CALLBACK = '/console/sign-in/oidc/callback';
const CLIENT = { client_id: 'holdfast', client_secret: 'a-secret-of-the-client' };

/** The page of the provider on which its user signs in: here the test decides who that is. */
const interact = async (provider: Provider, { request, response, account }: Interaction): Promise<void> => {
  const { prompt, params, session } = await provider.interactionDetails(request, response);
  if (prompt.name === 'login') {
    await provider.interactionFinished(request, response, { login: { accountId: account.sub } });
    return;
  }
  const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params.client_id) });
  grant.addOIDCScope('openid email');
  await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
};

type Interaction = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly account: Account };

export const openSignOn = async (t: Hooks, { sandbox = false } = {}) => {
  const accounts = new Map<string, Account>();
  const state: { account: Account; provider: Provider | null } = {
    account: { sub: 'none', email: 'none' },
    provider: null,
  };
  const server = createServer((request, response) => {
    const { provider, account } = state;
    if (request.url!.startsWith('/interaction/')) void interact(provider!, { request, response, account });
    else provider!.callback()(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterwards(t, () => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.client_id,
    OIDC_CLIENT_SECRET: CLIENT.client_secret,
    OIDC_NAME: 'Shop account',
  };
  const app = await startApp(t, { env, sandbox });
  state.provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [`${app.url}${CALLBACK}`] }],
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => {
      const { sub, email, isVerified = true } = accounts.get(id)!;
      return { accountId: sub, claims: () => ({ sub, email, email_verified: isVerified }) };
    },
  });
  return {
    app,
    /** The next sign-in at the provider is by this account. */
    be(account: Account): void {
      accounts.set(account.sub, account);
      state.account = account;
    },
  };
};
