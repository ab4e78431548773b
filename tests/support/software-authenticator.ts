// A passkey in software: what a browser and its device do when a page registers a passkey or signs in with one (WebAuthn, ES256).

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

type Options = { readonly challenge: string; readonly rpId?: string; readonly rp?: { readonly id?: string } };

/** What a hostile page or device does differently. */
type Odd = {
  readonly origin?: string;
  readonly isVerified?: boolean;
  readonly challenge?: string;
  readonly counter?: number;
};

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Buffer): string => data.toString('base64url');
const uint = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** CBOR, as far as it is needed. */
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from([0x59]), uint(bytes.length, 2), bytes]);

export const createAuthenticator = (origin: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const id = randomBytes(32);
  let userHandle = '';
  let count = 0;

  const point = (text: string): Buffer => Buffer.concat([Buffer.from([0x58, 32]), Buffer.from(text, 'base64url')]);
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    point(x!),
    Buffer.from([0x22]),
    point(y!),
  ]);

  const clientData = (type: string, { challenge, ...odd }: Odd & { challenge: string }): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: odd.origin ?? origin, crossOrigin: false }));

  const authenticatorData = (rpId: string, { flags, isVerified = true, counter }: Odd & { flags: number }): Buffer =>
    Buffer.concat([
      sha256(rpId),
      Buffer.from([flags | PRESENT | (isVerified ? VERIFIED : 0)]),
      uint(counter ?? count, 4),
    ]);

  const common = { id: base64url(id), rawId: base64url(id), type: 'public-key', clientExtensionResults: {} } as const;

  return {
    id: base64url(id),

    /** As `navigator.credentials.create`. */
    register(options: Options & { readonly user: { readonly id: string } }, odd: Odd = {}) {
      userHandle = options.user.id;
      const data = clientData('webauthn.create', { challenge: options.challenge, ...odd });
      const authData = Buffer.concat([
        authenticatorData(options.rp!.id!, { flags: ATTESTED, ...odd }),
        Buffer.alloc(16),
        uint(id.length, 2),
        id,
        coseKey,
      ]);
      const attestationObject = Buffer.concat([
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText('none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ]);
      const response = { clientDataJSON: base64url(data), attestationObject: base64url(attestationObject) };
      return { ...common, response: { ...response, transports: ['internal'] } };
    },

    /** As `navigator.credentials.get`. */
    signIn(options: Options, odd: Odd = {}) {
      count++;
      const data = clientData('webauthn.get', { challenge: options.challenge, ...odd });
      const authData = authenticatorData(options.rpId!, { flags: 0, ...odd });
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      const response = {
        clientDataJSON: base64url(data),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
        userHandle,
      };
      return { ...common, response };
    },
  };
};
