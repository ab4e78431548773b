// The single sign-on (OpenID Connect, authorization code with PKCE). It signs in an operator whose verified e-mail address was invited, and
// only the subject that came first from then on. Every failure leads to the same page.

import type { Configuration } from 'openid-client';
import type { Wire } from '../../http/route.ts';
import { attemptCookie } from '../../http/session-cookie.ts';
import type { Log } from '../../observability/logs.ts';
import { emailKeyOf } from '../operators/operator.ts';
import type { OperatorReads } from '../operators/queries.ts';
import { ATTEMPT_MS, type AttemptKeeper } from './attempts.ts';
import type { BeginSessions } from './begin-sessions.ts';

type Issuer = {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly name: string;
};

type Parts = {
  readonly issuer: Issuer;
  readonly operators: Pick<OperatorReads, 'findByClaim'>;
  readonly sessions: BeginSessions;
  readonly attempts: AttemptKeeper;
  readonly log: Pick<Log, 'warn'>;
};

type Redirect = { readonly location: string; readonly cookies: readonly string[] };

export const SIGN_ON_PATH = '/console/sign-in/oidc';
const CALLBACK_PATH = `${SIGN_ON_PATH}/callback`;
const SIGNED_IN = '/console/';
const FAILED = '/console/?failed=single-sign-on';
const TIMEOUT_S = 10;

/** Loaded with the first use: most servers have no single sign-on. */
const loadLibrary = () => import('openid-client');

/** The issuer as it describes itself: read with the first use, and again when it could not be read. */
const createConfiguration = (issuer: Issuer): (() => Promise<Configuration>) => {
  let known: Promise<Configuration> | null = null;
  const discover = async (): Promise<Configuration> => {
    const client = await loadLibrary();
    const url = new URL(issuer.issuer);
    // The settings accept plain http only for hosts that are not on the internet.
    const execute = url.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    const options = { execute, timeout: TIMEOUT_S };
    return client.discovery(url, issuer.clientId, issuer.clientSecret, undefined, options);
  };
  return () => {
    known ??= discover().catch((error: unknown) => {
      known = null;
      throw error;
    });
    return known;
  };
};

export const createSingleSignOn = ({ issuer, operators, sessions, attempts, log }: Parts) => {
  const configuration = createConfiguration(issuer);

  const cookie = (value: string, wire: Wire): string =>
    attemptCookie({ value, isSecure: sessions.isSecure(wire), maxAgeS: value === '' ? 0 : ATTEMPT_MS / 1_000 });

  /** Who signed in there. Throws when anything of the answer does not fit. */
  const readClaims = async (wire: Wire) => {
    const begun = await attempts.open('single-sign-on', wire.attempt);
    if (begun === null) throw new Error('the browser began no single sign-on, or it took too long');
    const client = await loadLibrary();
    const url = new URL(begun.redirectUri);
    url.search = new URL(wire.request.url ?? '', wire.origin).search;
    const tokens = await client.authorizationCodeGrant(await configuration(), url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    });
    const { iss, sub, ...inToken } = tokens.claims()!;
    // Some issuers show the address only there.
    const { email, email_verified: isVerified } =
      inToken.email === undefined
        ? await client.fetchUserInfo(await configuration(), tokens.access_token, sub)
        : inToken;
    if (typeof email !== 'string' || isVerified !== true) {
      throw new Error('the issuer shows no verified e-mail address');
    }
    return { emailKey: emailKeyOf(email), subject: `${iss}#${sub}` };
  };

  const beginThere = async (wire: Wire): Promise<Redirect> => {
    const client = await loadLibrary();
    const redirectUri = `${sessions.originOf(wire)}${CALLBACK_PATH}`;
    const verifier = client.randomPKCECodeVerifier();
    const state = client.randomState();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(await configuration(), {
      redirect_uri: redirectUri,
      scope: 'openid email',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    const value = attempts.seal('single-sign-on', { state, nonce, verifier, redirectUri });
    return { location: url.href, cookies: [cookie(value, wire)] };
  };

  return {
    name: issuer.name,

    async begin(wire: Wire, requestId: string): Promise<Redirect> {
      try {
        return await beginThere(wire);
      } catch (error) {
        log.warn({ requestId, err: error }, 'a single sign-on did not begin');
        return { location: FAILED, cookies: [] };
      }
    },

    async finish(wire: Wire, requestId: string): Promise<Redirect> {
      try {
        const { emailKey, subject } = await readClaims(wire);
        const found = await operators.findByClaim({ emailKey });
        if (found === null) throw new Error('no operator has this e-mail address');
        const place = { marketplaceId: found.marketplaceId, operatorId: found.operator.id };
        const proof = { method: 'single-sign-on', subject } as const;
        const { cookies } = await sessions.begin({ ...place, proof, wire, requestId });
        return { location: SIGNED_IN, cookies: [...cookies, cookie('', wire)] };
      } catch (error) {
        log.warn({ requestId, err: error }, 'a single sign-on failed');
        return { location: FAILED, cookies: [cookie('', wire)] };
      }
    },
  };
};

export type SingleSignOn = ReturnType<typeof createSingleSignOn>;
