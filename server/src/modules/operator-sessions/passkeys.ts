// Passkeys (WebAuthn): options for the browser, and the checks of what it returns. The user must be verified by the device, so a passkey needs
// no password beside it. A challenge is used once; the caller keeps it.

import { validationError } from '../../http/validation/messages.ts';
import type { OperatorPasskey } from '../operators/operator.ts';
import type { NewPasskey } from './join.ts';

type Place = { readonly origin: string };

type Registering = Place & {
  readonly email: string;
  readonly name: string;
  /** What a passkey shows at the sign-in, to find its operator. */
  readonly userHandle: string;
  readonly known: readonly Pick<OperatorPasskey, 'id'>[];
};

type Response = { readonly id: string };

type Registered = Place & { readonly response: Response; readonly challenge: string | null; readonly name: string };

type SigningIn = Place & { readonly response: Response; readonly challenge: string; readonly passkey: OperatorPasskey };

const ID_LENGTH_MAX = 400;

/** Loaded with the first passkey: its parsers need 20 MiB. */
const loadLibrary = () => import('@simplewebauthn/server');

/** The domain for which a passkey is valid. */
const domainOf = (origin: string): string => new URL(origin).hostname;

const refused = () => validationError(['passkey was not accepted; begin again']);

export const createPasskeys = () => ({
  async registrationOptions({ origin, email, name, userHandle, known }: Registering) {
    const { generateRegistrationOptions } = await loadLibrary();
    return generateRegistrationOptions({
      rpName: 'Holdfast',
      rpID: domainOf(origin),
      userName: email,
      userDisplayName: name,
      userID: new TextEncoder().encode(userHandle),
      attestationType: 'none',
      excludeCredentials: known.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  },

  /** A null challenge: none is open. */
  async checkRegistration({ origin, response, challenge, name }: Registered): Promise<NewPasskey> {
    if (challenge === null || response.id.length > ID_LENGTH_MAX) throw refused();
    const { verifyRegistrationResponse } = await loadLibrary();
    const verified = await verifyRegistrationResponse({
      response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domainOf(origin),
      requireUserVerification: true,
    }).catch(() => null);
    if (!verified?.verified) throw refused();
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
    return {
      id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter: BigInt(counter),
      transports: transports.map(String),
      name,
    };
  },

  async signInOptions({ origin }: Place) {
    const { generateAuthenticationOptions } = await loadLibrary();
    return generateAuthenticationOptions({ rpID: domainOf(origin), userVerification: 'required' });
  },

  /** The new counter of the passkey; null when the response is not valid. */
  async checkSignIn({ origin, response, challenge, passkey }: SigningIn): Promise<bigint | null> {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const verified = await verifyAuthenticationResponse({
      response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: domainOf(origin),
      requireUserVerification: true,
      // The command compares the counter with the stored one.
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: 0,
      },
    }).catch(() => null);
    return verified?.verified ? BigInt(verified.authenticationInfo.newCounter) : null;
  },
});

export type Passkeys = ReturnType<typeof createPasskeys>;
