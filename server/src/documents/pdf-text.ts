// Text of a PDF: the fonts, the width of a text, its lines, and the order in which its pieces are drawn. The shipped font has Latin, Greek,
// Cyrillic, Hebrew, Arabic and more. A character that no font has becomes a replacement character.

import { createRequire } from 'node:module';
import { visualPieces } from './reading-order.ts';

/** What this file needs of the PDF library. */
export type Canvas = {
  registerFont(name: string, source: string | Buffer): unknown;
  font(name: string): unknown;
  fontSize(size: number): unknown;
  fillColor(color: string): unknown;
  widthOfString(text: string): number;
  /** The text, its place, and the options. */
  text(...of: [text: string, x: number, y: number, options: object]): unknown;
};

export type Style = { readonly font: 'plain' | 'bold'; readonly size: number; readonly color: string };

type Face = { hasGlyphForCodePoint(codePoint: number): boolean };

/** What the library keeps inside about the font in use. The version of the library is pinned, and a test draws many words. */
type Inner = { readonly font: Face; layoutCache: object };

const require = createRequire(import.meta.url);
const FILES = { plain: 'DejaVuSans.ttf', bold: 'DejaVuSans-Bold.ttf' };
const OTHER = 'other';
const REPLACEMENT = '\ufffd';

const PLAIN = /^[\x20-\x7e]*$/;

/** The fonts of a document, and the pieces of a text by font. */
const createFonts = (canvas: Canvas, font: Uint8Array | null) => {
  const inners = new Map<string, Inner>();
  const use = (name: string): void => {
    canvas.font(name);
    inners.set(name, (canvas as unknown as { readonly _font: Inner })._font);
  };
  for (const [name, file] of Object.entries(FILES)) {
    canvas.registerFont(name, require.resolve(`dejavu-fonts-ttf/ttf/${file}`));
    use(name);
  }
  if (font !== null) {
    canvas.registerFont(OTHER, Buffer.from(font));
    use(OTHER);
  }

  const fontOf = (character: string, style: Style): string | null => {
    const code = character.codePointAt(0)!;
    if (inners.get(style.font)!.font.hasGlyphForCodePoint(code)) return style.font;
    return inners.get(OTHER)?.font.hasGlyphForCodePoint(code) === true ? OTHER : null;
  };

  /** The text in pieces of one font each. */
  const inFonts = (text: string, style: Style): { name: string; text: string }[] => {
    if (PLAIN.test(text)) return [{ name: style.font, text }];
    const pieces: { name: string; text: string }[] = [];
    for (const character of text) {
      const name = fontOf(character, style);
      const last = pieces.at(-1);
      const shown = name === null ? REPLACEMENT : character;
      if (last && last.name === (name ?? style.font)) last.text += shown;
      else pieces.push({ name: name ?? style.font, text: shown });
    }
    return pieces;
  };

  return {
    inFonts,
    /** The library keeps every word that it drew: without this, 50,000 lines took more than 192 MiB. */
    forget(): void {
      for (const inner of inners.values()) inner.layoutCache = Object.create(null) as object;
    },
  };
};

export const createText = (canvas: Canvas, font: Uint8Array | null) => {
  const { inFonts, forget } = createFonts(canvas, font);

  const widthOf = (text: string, style: Style): number => {
    canvas.fontSize(style.size);
    let width = 0;
    for (const piece of inFonts(text, style)) {
      canvas.font(piece.name);
      width += canvas.widthOfString(piece.text);
    }
    return width;
  };

  /** A word that is wider than a line is cut between characters. */
  const cutWord = (word: string, of: { style: Style; width: number }): string[] => {
    const parts: string[] = [];
    let part = '';
    for (const character of word) {
      if (part !== '' && widthOf(part + character, of.style) > of.width) {
        parts.push(part);
        part = '';
      }
      part += character;
    }
    return [...parts, part];
  };

  return {
    widthOf,

    forget,

    /** The lines of a text in a column of this width. */
    linesOf(text: string, of: { style: Style; width: number }): string[] {
      if (widthOf(text, of.style) <= of.width) return [text];
      const lines: string[] = [];
      let line = '';
      for (const word of text.split(/\s+/)) {
        const longer = line === '' ? word : `${line} ${word}`;
        if (widthOf(longer, of.style) <= of.width) {
          line = longer;
          continue;
        }
        if (line !== '') lines.push(line);
        const parts = cutWord(word, of);
        lines.push(...parts.slice(0, -1));
        line = parts.at(-1)!;
      }
      return [...lines, line];
    },

    /** Draws one line. */
    draw(line: string, at: { x: number; y: number; style: Style; link?: string | null }): void {
      const { style, y, link } = at;
      let { x } = at;
      canvas.fontSize(style.size);
      canvas.fillColor(style.color);
      for (const piece of visualPieces(line).flatMap((text) => inFonts(text, style))) {
        canvas.font(piece.name);
        canvas.text(piece.text, x, y, { lineBreak: false, ...(link ? { link } : {}) });
        x += canvas.widthOfString(piece.text);
      }
    },
  };
};
