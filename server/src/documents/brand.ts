// The name, the address, the colour, the logo and the font of documents, as the settings give them. The files are read once, at the start,
// and checked by their content, so a document never fails because of them.

import { readFile, stat } from 'node:fs/promises';

export type Brand = {
  readonly name: string | null;
  readonly addressLines: readonly string[];
  /** Such as `#1f5c4d`. */
  readonly accent: string;
  readonly logo: Logo | null;
  /** A font for the characters that the shipped one lacks. */
  readonly font: Uint8Array | null;
  readonly footer: string | null;
  readonly contact: string | null;
};

type Logo = { readonly type: 'png' | 'jpeg'; readonly bytes: Uint8Array };

type BrandSettings = Pick<Brand, 'name' | 'accent' | 'footer' | 'contact'> & {
  readonly addressLines: readonly string[] | null;
  readonly logoFile: string | null;
  readonly fontFile: string | null;
};

/** A setting that names a file that cannot be used. */
export class BadBrandFile extends Error {}

const LOGO_BYTES_MAX = 256 * 1024;
const LOGO_SIDE_MAX = 2_000;
const FONT_BYTES_MAX = 32 * 1024 * 1024;

type File = { readonly setting: string; readonly path: string; readonly bytesMax: number };

const readBounded = async ({ setting, path, bytesMax }: File): Promise<Buffer> => {
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new BadBrandFile(`${setting} names ${path}, which is not a file that can be read.`);
  if (found.size > bytesMax) {
    throw new BadBrandFile(
      `${setting} names a file of ${found.size} bytes. The file may have at most ${bytesMax} bytes.`,
    );
  }
  return readFile(path).catch(() => {
    throw new BadBrandFile(`${setting} names ${path}, which cannot be read.`);
  });
};

type Size = { readonly width: number; readonly height: number };

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

const pngSize = (bytes: Buffer): Size | null =>
  bytes.length > 33 && bytes.subarray(0, 8).equals(PNG) && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : null;

/** The markers of a JPEG that begin with the size of the picture. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

const jpegSize = (bytes: Buffer): Size | null => {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length && bytes[at] === 0xff; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (isFrame(bytes[at + 1]!)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
  }
  return null;
};

const LOGO = 'DOCUMENT_LOGO';
const FONT = 'DOCUMENT_FONT';

const readLogo = async (path: string): Promise<Logo> => {
  const bytes = await readBounded({ setting: LOGO, path, bytesMax: LOGO_BYTES_MAX });
  const png = pngSize(bytes);
  const size = png ?? jpegSize(bytes);
  if (size === null) throw new BadBrandFile(`${LOGO} names ${path}, which is neither a PNG nor a JPEG picture.`);
  if (Math.max(size.width, size.height) > LOGO_SIDE_MAX || Math.min(size.width, size.height) < 1) {
    throw new BadBrandFile(
      `${LOGO} names a picture of ${size.width} by ${size.height} pixels. Each side may have 1 to ${LOGO_SIDE_MAX}.`,
    );
  }
  return { type: png ? 'png' : 'jpeg', bytes };
};

const FONT_HEADS = ['00010000', '4f54544f', '74727565'];

const readFont = async (path: string): Promise<Uint8Array> => {
  const bytes = await readBounded({ setting: FONT, path, bytesMax: FONT_BYTES_MAX });
  if (FONT_HEADS.includes(bytes.subarray(0, 4).toString('hex'))) return bytes;
  throw new BadBrandFile(`${FONT} names ${path}, which is neither a TrueType nor an OpenType font.`);
};

export const readBrand = async (settings: BrandSettings): Promise<Brand> => {
  const { name, addressLines, accent, footer, contact, logoFile, fontFile } = settings;
  return {
    name,
    addressLines: addressLines ?? [],
    accent,
    footer,
    contact,
    logo: logoFile === null ? null : await readLogo(logoFile),
    font: fontFile === null ? null : await readFont(fontFile),
  };
};
