// Bytes as base64, in every runtime.

/** A function has only so many arguments. */
const CHUNK = 8_192;

export const base64Of = (bytes: Uint8Array): string => {
  let text = '';
  for (let at = 0; at < bytes.length; at += CHUNK) text += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(text);
};
