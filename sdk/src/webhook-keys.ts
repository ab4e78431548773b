// The keys of webhooks as the Web Crypto API of the runtime uses them: a shared secret (`v1`, HMAC-SHA256) or a public key (`v1a`,
// ed25519). A key that cannot be one is a mistake of the caller, and a TypeError says which.

export type SignatureVersion = 'v1' | 'v1a';

type Bytes = Uint8Array<ArrayBuffer>;

const SECRET_PREFIX = 'whsec_';
const PUBLIC_PREFIX = 'whpk_';
const PRIVATE_PREFIX = 'whsk_';
const API_KEY_PREFIX = 'hf_';
const PUBLIC_BYTES = 32;

const utf8 = new TextEncoder();

export const fromBase64 = (text: string): Bytes | null => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
};

/** Which signatures the key verifies. */
export const versionOf = (key: string): SignatureVersion => (key.startsWith(PUBLIC_PREFIX) ? 'v1a' : 'v1');

/** Any text may be a shared secret; after `whsec_` it is base64. */
const secretBytes = (secret: string): Bytes => {
  const isPrefixed = secret.startsWith(SECRET_PREFIX);
  return (isPrefixed ? fromBase64(secret.slice(SECRET_PREFIX.length)) : null) ?? utf8.encode(secret);
};

const publicBytes = (key: string): Bytes => {
  const bytes = fromBase64(key.slice(PUBLIC_PREFIX.length));
  if (bytes?.length === PUBLIC_BYTES) return bytes;
  throw new TypeError(`The public key of the webhook must be ${PUBLIC_PREFIX} and ${PUBLIC_BYTES} bytes in base64`);
};

/** The key of a sender, which signs. */
export const hmacKey = (secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> => {
  const bytes = secretBytes(secret);
  if (bytes.length === 0) throw new TypeError('The secret of the webhook is empty');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
};

const ed25519Key = (key: string): Promise<CryptoKey> => {
  const bytes = publicBytes(key);
  return crypto.subtle.importKey('raw', bytes, { name: 'Ed25519' }, false, ['verify']).catch((cause) => {
    throw new Error('This runtime has no ed25519 in its Web Crypto API; use an endpoint with `v1` signatures', {
      cause,
    });
  });
};

export type WebhookVerifier = {
  readonly version: SignatureVersion;
  /** Takes the same time for every wrong signature. */
  fits(signature: Bytes, signed: Bytes): Promise<boolean>;
};

const verifierOf = async (given: string): Promise<WebhookVerifier> => {
  // A setting that is missing arrives here as undefined.
  if (typeof given !== 'string' || given === '')
    throw new TypeError('The secret of the webhook is empty: check the setting that it is read from');
  if (given.startsWith(PRIVATE_PREFIX)) {
    throw new TypeError(
      `${PRIVATE_PREFIX} is a private key, which only a sender has: pass the public key, ${PUBLIC_PREFIX}…`,
    );
  }
  if (given.startsWith(API_KEY_PREFIX)) {
    throw new TypeError('The secret of the webhook is an API key: pass the secret of the endpoint, whsec_…');
  }
  const version = versionOf(given);
  const algorithm = version === 'v1' ? 'HMAC' : 'Ed25519';
  const key = await (version === 'v1' ? hmacKey(given, 'verify') : ed25519Key(given));
  return { version, fits: (signature, signed) => crypto.subtle.verify(algorithm, key, signature, signed) };
};

/** Several are valid at once during a rotation. */
export const verifiersOf = (given: string | readonly string[]): Promise<WebhookVerifier[]> => {
  const keys = typeof given === 'string' ? [given] : [...(given ?? [])];
  if (keys.length === 0) throw new TypeError('No secret was given for the webhook');
  return Promise.all(keys.map(verifierOf));
};
