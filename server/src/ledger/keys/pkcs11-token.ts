// Key-encryption keys in a PKCS#11 token: the token seals and opens data keys with AES-GCM, and its keys never leave it. The package
// pkcs11js is compiled when it is installed, so it is not among our packages: it is loaded only when a token is chosen.

import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { type HeldKey, type KeySource, TokenFailure } from './key-ring.ts';

type Handle = Buffer;
type Attribute = { readonly type: number; readonly value?: unknown };
type Mechanism = { readonly mechanism: number; readonly parameter: unknown };

/** The part of the package that is used here. Its functions have the arguments of the standard. */
type Module = {
  load(path: string): void;
  C_Initialize(): void;
  C_Finalize(): void;
  C_GetSlotList(withToken: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_Login(...of: [session: Handle, user: number, pin: string]): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, max: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(
    ...of: [session: Handle, object: Handle, template: readonly Attribute[]]
  ): { readonly value: Buffer }[];
  C_EncryptInit(...of: [session: Handle, mechanism: Mechanism, key: Handle]): void;
  C_EncryptAsync(...of: [session: Handle, input: Buffer, output: Buffer]): Promise<Buffer>;
  C_DecryptInit(...of: [session: Handle, mechanism: Mechanism, key: Handle]): void;
  C_DecryptAsync(...of: [session: Handle, input: Buffer, output: Buffer]): Promise<Buffer>;
  close(): void;
};

type Package = { readonly PKCS11: new () => Module } & Readonly<Record<string, number>>;

type TokenSettings = {
  readonly module: string;
  readonly token: string;
  readonly keyLabel: string;
  pin(): Promise<string>;
};

const SETTING = 'WALLET_KEK_PKCS11_KEY_LABEL';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEYS_MAX = 1_000;
/** A text that the token must not have opened has one of these codes: general error (SoftHSM), invalid data, invalid length. */
const NOT_OPENED = [0x05, 0x40, 0x41];

const loadPackage = (): Package => {
  try {
    return createRequire(import.meta.url)('pkcs11js') as Package;
  } catch {
    throw new Error(
      'WALLET_KEK_SOURCE is pkcs11, and the package pkcs11js is not installed. Install a C++ compiler, make and Python, then run `npm install --no-save pkcs11js@2.1`.',
    );
  }
};

type Session = { readonly token: Module; readonly codes: Package; readonly session: Handle };

const openSession = async ({ module, token: label, pin }: TokenSettings): Promise<Session> => {
  const codes = loadPackage();
  const token = new codes.PKCS11();
  try {
    token.load(module);
    token.C_Initialize();
  } catch (error) {
    throw new TokenFailure(`WALLET_KEK_PKCS11_MODULE ${module} cannot be loaded: ${messageOf(error)}.`);
  }
  try {
    const slot = token.C_GetSlotList(true).find((one) => token.C_GetTokenInfo(one).label.trim() === label);
    if (!slot) throw new TokenFailure(`There is no token with the label ${label}: check WALLET_KEK_PKCS11_TOKEN.`);
    const session = token.C_OpenSession(slot, codes.CKF_SERIAL_SESSION!);
    token.C_Login(session, codes.CKU_USER!, await pin());
    return { token, codes, session };
  } catch (error) {
    token.C_Finalize();
    token.close();
    if (error instanceof TokenFailure) throw error;
    throw new TokenFailure(
      `The token ${label} did not accept the login: ${messageOf(error).replace(/\.$/, '')}. Check its PIN.`,
    );
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

type Found = { readonly version: bigint; readonly label: string; readonly handle: Handle };

const findKeys = ({ token, codes, session }: Session, keyLabel: string): Found[] => {
  token.C_FindObjectsInit(session, [
    { type: codes.CKA_CLASS!, value: codes.CKO_SECRET_KEY },
    { type: codes.CKA_KEY_TYPE!, value: codes.CKK_AES },
    { type: codes.CKA_VALUE_LEN!, value: KEY_BYTES },
  ]);
  let handles: Handle[];
  try {
    handles = token.C_FindObjects(session, KEYS_MAX);
  } finally {
    token.C_FindObjectsFinal(session);
  }
  const found = handles.flatMap((handle): Found[] => {
    const [attribute] = token.C_GetAttributeValue(session, handle, [{ type: codes.CKA_LABEL! }]);
    const label = attribute!.value.toString();
    const version = label.startsWith(`${keyLabel}-`) ? label.slice(keyLabel.length + 1) : '';
    return /^[1-9]\d{0,8}$/.test(version) ? [{ version: BigInt(version), label, handle }] : [];
  });
  const twice = found.find(({ label }, index) => found.findIndex((other) => other.label === label) !== index);
  if (twice) throw new TokenFailure(`The token has two keys with the label ${twice.label}: give one another label.`);
  return found.sort((a, b) => (b.version > a.version ? 1 : -1));
};

/** One call at a time: a session of a token carries out one operation. */
const inTurn = () => {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
};

const heldKeyOf = (
  { token, codes, session }: Session,
  { found, queue }: { found: Found; queue: ReturnType<typeof inTurn> },
): HeldKey => {
  const { label, handle } = found;
  const gcm = (iv: Buffer, aad: Buffer): Mechanism => ({
    mechanism: codes.CKM_AES_GCM!,
    parameter: { type: codes.CK_PARAMS_AES_GCM, iv, aad, tagBits: TAG_BYTES * 8 },
  });
  return {
    keyId: `pkcs11:${label}`,
    seal: (dataKey, bound) =>
      queue(async () => {
        const iv = randomBytes(IV_BYTES);
        try {
          token.C_EncryptInit(session, gcm(iv, bound), handle);
          const sealed = await token.C_EncryptAsync(session, dataKey, Buffer.alloc(dataKey.length + TAG_BYTES));
          return Buffer.concat([iv, sealed]);
        } catch (error) {
          throw new TokenFailure(`The token did not seal with ${label}: ${messageOf(error)}.`);
        }
      }),
    open: (sealed, bound) =>
      queue(async () => {
        const text = sealed.subarray(IV_BYTES);
        try {
          token.C_DecryptInit(session, gcm(sealed.subarray(0, IV_BYTES), bound), handle);
          return await token.C_DecryptAsync(session, text, Buffer.alloc(text.length));
        } catch (error) {
          if (NOT_OPENED.includes((error as { code?: number }).code ?? -1)) throw error;
          throw new TokenFailure(`The token did not open a text with ${label}: ${messageOf(error)}.`);
        }
      }),
  };
};

export const tokenSource = (settings: TokenSettings): KeySource => {
  const queue = inTurn();
  let opening: Promise<Session> | null = null;
  const session = (): Promise<Session> => {
    opening ??= openSession(settings).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  return {
    setting: SETTING,
    async load() {
      const opened = await session();
      const keys = await queue(async () => findKeys(opened, settings.keyLabel));
      if (keys.length === 0) {
        throw new TokenFailure(
          `The token ${settings.token} has no AES key of 256 bits with the label ${settings.keyLabel}-1: create it.`,
        );
      }
      return keys.map((found) => heldKeyOf(opened, { found, queue }));
    },
    async close() {
      const opened = await opening?.catch(() => null);
      opening = null;
      if (!opened) return;
      await queue(async () => {
        opened.token.C_Finalize();
        opened.token.close();
      });
    },
  };
};
