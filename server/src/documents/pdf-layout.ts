// Draws the parts of a document on the pages of a PDF. A page is written as soon as the next one begins.

import PDFDocument from 'pdfkit';
import type { Brand } from './brand.ts';
import { type Cell, type Column, cleanText, type DocumentHead, type Fact, type Part, textOf } from './document.ts';
import { type Canvas, createText, type Style } from './pdf-text.ts';

const PAGE = { width: 595.28, height: 841.89, margin: 48, bottom: 56 };
const WIDTH = PAGE.width - 2 * PAGE.margin;
const LOWEST = PAGE.height - PAGE.bottom;
const DARK = '#1c2024';
const GREY = '#4a5058';
const RULE = '#d9dce0';
const TITLE: Style = { font: 'bold', size: 17, color: DARK };
const SECTION: Style = { font: 'bold', size: 11, color: DARK };
const TEXT: Style = { font: 'plain', size: 9, color: DARK };
const STRONG: Style = { font: 'bold', size: 9, color: DARK };
const LABEL: Style = { font: 'plain', size: 9, color: GREY };
const CELL: Style = { font: 'plain', size: 7.5, color: DARK };
const HEAD: Style = { font: 'bold', size: 7.5, color: DARK };
const SMALL: Style = { font: 'plain', size: 7.5, color: GREY };
const LABEL_WIDTH = 130;
const GAP = 6;
const LOGO = { width: 160, height: 44 };

const lineHeight = ({ size }: Style): number => size * 1.4;

type Laid = { readonly lines: readonly string[]; readonly isNumber: boolean; readonly link: string | null };
type Place = { readonly x: number; readonly width: number };

const placesOf = (columns: readonly Column[]): Place[] => {
  const whole = columns.reduce((sum, { width }) => sum + width, 0);
  let x = PAGE.margin;
  return columns.map(({ width: share }) => {
    const width = (WIDTH * share) / whole;
    const place = { x, width: width - GAP };
    x += width;
    return place;
  });
};

const createPage = (head: DocumentHead, brand: Brand) => {
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: PAGE.margin,
    autoFirstPage: false,
    lang: 'en',
    displayTitle: true,
    info: {
      Title: cleanText(head.title),
      Subject: cleanText(head.subtitle),
      ...(brand.name === null ? {} : { Author: cleanText(brand.name) }),
      CreationDate: new Date(head.at),
    },
  });
  const text = createText(pdf as unknown as Canvas, brand.font);
  let y: number = PAGE.margin;
  let pages = 0;

  const line = (value: string, { style, x = PAGE.margin, link }: { style: Style; x?: number; link?: string | null }) =>
    text.draw(value, { x, y, style, ...(link === undefined ? {} : { link }) });

  const rule = (color: string, thickness: number): void => {
    pdf
      .moveTo(PAGE.margin, y)
      .lineTo(PAGE.width - PAGE.margin, y)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke();
  };

  const foot = (): void => {
    const shown = [brand.contact, brand.footer]
      .filter((each) => each !== null)
      .map(cleanText)
      .join('  ·  ');
    const number = `Page ${pages}`;
    const numberX = PAGE.width - PAGE.margin - text.widthOf(number, SMALL);
    const footY = PAGE.height - PAGE.bottom + 18;
    const [first = ''] = text.linesOf(shown, { style: SMALL, width: WIDTH - 80 });
    text.draw(first, { x: PAGE.margin, y: footY, style: SMALL });
    text.draw(number, { x: numberX, y: footY, style: SMALL });
  };

  const begin = (): void => {
    pdf.addPage();
    pages++;
    foot();
    y = PAGE.margin;
  };

  return {
    pdf,
    text,
    line,
    rule,
    begin,
    y: () => y,
    down(by: number): void {
      y += by;
    },
    /** Begins a page when so much does not fit. True: it did. */
    reserve(height: number): boolean {
      if (y + height <= LOWEST) return false;
      begin();
      return true;
    },
  };
};

type Page = ReturnType<typeof createPage>;

const paragraph = (page: Page, { value, style }: { value: string; style: Style }): void => {
  for (const each of page.text.linesOf(cleanText(value), { style, width: WIDTH })) {
    page.reserve(lineHeight(style));
    page.line(each, { style });
    page.down(lineHeight(style));
  }
};

const drawHead = (page: Page, { head, brand }: { head: DocumentHead; brand: Brand }): void => {
  page.begin();
  if (brand.logo !== null) {
    const x = PAGE.width - PAGE.margin - LOGO.width;
    const fit: [number, number] = [LOGO.width, LOGO.height];
    page.pdf.image(Buffer.from(brand.logo.bytes), x, PAGE.margin, { fit, align: 'right' });
  }
  if (brand.name !== null) paragraph(page, { value: brand.name, style: STRONG });
  for (const value of brand.addressLines) paragraph(page, { value, style: TEXT });
  page.down(Math.max(GAP, PAGE.margin + (brand.logo === null ? 0 : LOGO.height + GAP) - page.y()));
  paragraph(page, { value: head.title, style: TITLE });
  paragraph(page, { value: head.subtitle, style: TEXT });
  page.down(GAP);
  page.rule(brand.accent, 2);
  page.down(2 * GAP);
};

const drawFact = (page: Page, { label, value }: Fact): void => {
  const width = WIDTH - LABEL_WIDTH;
  const lines = page.text.linesOf(cleanText(textOf(value)), { style: TEXT, width });
  const link = typeof value === 'string' ? null : value.href;
  lines.forEach((each, at) => {
    page.reserve(lineHeight(TEXT));
    if (at === 0) page.line(cleanText(label), { style: LABEL });
    page.line(each, { style: TEXT, x: PAGE.margin + LABEL_WIDTH, link });
    page.down(lineHeight(TEXT));
  });
};

const createTable = (page: Page) => {
  let columns: readonly Column[] = [];
  let places: readonly Place[] = [];

  const laid = (cells: readonly Cell[], style: Style): Laid[] =>
    cells.map((cell, at) => ({
      lines: page.text.linesOf(cleanText(textOf(cell)), { style, width: places[at]!.width }),
      isNumber: columns[at]!.isNumber === true,
      link: typeof cell === 'string' ? null : cell.href,
    }));

  /** One line of every cell. */
  const drawLine = (cells: readonly Laid[], { at, style }: { at: number; style: Style }): void => {
    cells.forEach(({ lines, isNumber, link }, column) => {
      const value = lines[at];
      if (value === undefined || value === '') return;
      const { x, width } = places[column]!;
      const shift = isNumber ? width - page.text.widthOf(value, style) : 0;
      page.line(value, { style, x: x + shift, link });
    });
    page.down(lineHeight(style));
  };

  const drawRow = (cells: readonly Cell[], { style, isHead }: { style: Style; isHead: boolean }): void => {
    const row = laid(cells, style);
    const height = Math.max(...row.map(({ lines }) => lines.length));
    // A row that fits on a page is not divided. One that does not is drawn line by line.
    if (!isHead && page.reserve(Math.min(height, 40) * lineHeight(style) + 4)) drawTitles();
    for (let at = 0; at < height; at++) {
      if (!isHead && page.reserve(lineHeight(style))) drawTitles();
      drawLine(row, { at, style });
    }
    page.down(2);
    page.rule(RULE, 0.5);
    page.down(3);
  };

  const drawTitles = (): void =>
    drawRow(
      columns.map(({ title }) => title),
      { style: HEAD, isHead: true },
    );

  return {
    begin(of: readonly Column[]): void {
      columns = of;
      places = placesOf(of);
      page.reserve(4 * lineHeight(HEAD));
      drawTitles();
    },
    row: (cells: readonly Cell[]): void => drawRow(cells, { style: CELL, isHead: false }),
  };
};

/** The stream of bytes, and the function that draws a part. */
export const createPdf = (head: DocumentHead, brand: Brand) => {
  const page = createPage(head, brand);
  const table = createTable(page);
  drawHead(page, { head, brand });
  return {
    bytes: page.pdf,
    draw(part: Part): void {
      switch (part.kind) {
        case 'section':
          page.down(GAP);
          page.reserve(4 * lineHeight(SECTION));
          paragraph(page, { value: part.title, style: SECTION });
          page.down(3);
          return;
        case 'facts':
          for (const fact of part.facts) drawFact(page, fact);
          return;
        case 'text':
          paragraph(page, { value: part.text, style: TEXT });
          return;
        case 'table':
          table.begin(part.columns);
          return;
        case 'rows':
          for (const row of part.rows) table.row(row);
          page.text.forget();
          return;
        case 'end':
          page.down(GAP);
      }
    },
    end: (): void => page.pdf.end(),
  };
};
