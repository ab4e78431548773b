// Addresses of the ledger network in their text form: a version byte, the public key and a checksum in base32. The checksum finds a
// typing mistake before money is sent to an address without an owner. A muxed address (M…) is an account and the number of one of its
// users.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const ACCOUNT_VERSION = 6 << 3;
const KEY_BYTES = 32;
const MUXED_VERSION = 12 << 3;
const ID_BYTES = 8;
const TEXT = /^G[A-Z2-7]{55}$/;
const MUXED_TEXT = /^M[A-Z2-7]{68}$/;

/** CRC-16/XMODEM, as the network defines it. */
const checksum = (bytes: Uint8Array): number => {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
    crc &= 0xffff;
  }
  return crc;
};

// 35 bytes are exactly 56 letters; the 43 bytes of a muxed address leave four bits for a last letter.
const encode = (bytes: Uint8Array): string => {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits === 0 ? text : `${text}${ALPHABET[(held << (5 - bits)) & 31]}`;
};

const decode = (text: string): Uint8Array => {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  for (const letter of text) {
    held = (held << 5) | ALPHABET.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push(held >> bits);
    held &= (1 << bits) - 1;
  }
  return Uint8Array.from(bytes);
};

export const formatAddress = (publicKey: Uint8Array): string => {
  if (publicKey.length !== KEY_BYTES) throw new Error(`a public key has ${KEY_BYTES} bytes, not ${publicKey.length}`);
  const body = Uint8Array.from([ACCOUNT_VERSION, ...publicKey]);
  const sum = checksum(body);
  return encode(Uint8Array.from([...body, sum & 0xff, sum >> 8]));
};

/** The public key; null when the text is not the address of an account. */
export const parseAddress = (text: string): Uint8Array | null => {
  if (!TEXT.test(text)) return null;
  const bytes = decode(text);
  const body = bytes.subarray(0, KEY_BYTES + 1);
  const low = bytes.at(-2)!;
  const high = bytes.at(-1)!;
  return body[0] === ACCOUNT_VERSION && checksum(body) === (high << 8) + low ? body.slice(1) : null;
};

/** The account of a muxed address; null when the text is not one. */
const parseMuxed = (text: string): { readonly account: string } | null => {
  if (!MUXED_TEXT.test(text)) return null;
  const bytes = decode(text);
  const body = bytes.subarray(0, 1 + KEY_BYTES + ID_BYTES);
  const sum = bytes.at(-2)! + (bytes.at(-1)! << 8);
  // Only one spelling is an address: the last letter has a bit that decoding ignores.
  if (body[0] !== MUXED_VERSION || checksum(body) !== sum || encode(bytes) !== text) return null;
  return { account: formatAddress(body.slice(1, 1 + KEY_BYTES)) };
};

export const isMuxed = (text: string): boolean => parseMuxed(text) !== null;

/** The account (G…) that an account address or a muxed address pays; null when the text is neither. */
export const accountOf = (text: string): string | null =>
  parseAddress(text) ? text : (parseMuxed(text)?.account ?? null);
