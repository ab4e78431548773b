// Settings of documents for people: the brand of statements and receipts, the links to an explorer of the ledger, and public receipts.

import { boolean, type Parser } from './parsers.ts';
import { optionalSetting, setting } from './setting.ts';

const NAME_MAX = 80;
const LINE_MAX = 100;
const LINES_MAX = 6;
const FOOTER_MAX = 300;
const PATH_MAX = 1_000;
const UNSEEN = /\p{Cc}/u;

const line = (max: number): Parser<string> => ({
  expects: `a text of at most ${max} characters without line breaks`,
  read: (text) => (text.length <= max && !UNSEEN.test(text) ? text : undefined),
});

const addressLines: Parser<readonly string[]> = {
  expects: `at most ${LINES_MAX} lines of at most ${LINE_MAX} characters, with | between them`,
  read(text) {
    const lines = text.split('|').map((part) => line(LINE_MAX).read(part.trim()));
    const isGood = lines.length <= LINES_MAX && lines.every((each) => each !== undefined && each !== '');
    return isGood ? (lines as string[]) : undefined;
  },
};

const color: Parser<string> = {
  expects: 'a colour of # and six hexadecimal digits',
  read: (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined),
};

const HASH_PLACE = '{hash}';

const explorerUrl: Parser<string> = {
  expects: `an https address with ${HASH_PLACE} once in its path or its query, where the hash of a transaction goes`,
  read(text) {
    const parsed = URL.parse(text);
    const isGood = parsed?.protocol === 'https:' && !parsed.username && !parsed.password && !parsed.host.includes('{');
    return isGood && text.split(HASH_PLACE).length === 2 && !/[\s"'<>]/.test(text) ? text : undefined;
  },
};

export const DOCUMENT_SETTINGS = {
  documents: {
    name: optionalSetting({
      name: 'DOCUMENT_NAME',
      parser: line(NAME_MAX),
      unset: 'documents name the marketplace by its id',
      meaning: 'Name of the company in the head of statements and receipts.',
      example: 'Example Market Ltd',
    }),
    addressLines: optionalSetting({
      name: 'DOCUMENT_ADDRESS',
      parser: addressLines,
      unset: 'no address',
      meaning: 'Address lines below the name, with | between the lines.',
      example: '1 Harbour Road|10115 Berlin|Germany',
    }),
    accent: setting({
      name: 'DOCUMENT_ACCENT',
      parser: color,
      default: '#1f5c4d',
      meaning: 'Colour of the line below the head of a document.',
      example: '#004488',
    }),
    logoFile: optionalSetting({
      name: 'DOCUMENT_LOGO',
      parser: line(PATH_MAX),
      unset: 'no logo',
      meaning:
        'Path of a PNG or JPEG picture for the head of documents: at most 256 KiB, and at most 2,000 pixels on each side. The server does not start with a file that it cannot use.',
      example: '/etc/holdfast/logo.png',
    }),
    fontFile: optionalSetting({
      name: 'DOCUMENT_FONT',
      parser: line(PATH_MAX),
      unset:
        'only the shipped font, which has Latin, Greek, Cyrillic, Hebrew and Arabic, and no Chinese, Japanese or Korean',
      meaning: 'Path of a TrueType or OpenType font for the characters in PDF files that the shipped font lacks.',
      example: '/usr/share/fonts/noto/NotoSansSC-Regular.ttf',
    }),
    footer: optionalSetting({
      name: 'DOCUMENT_FOOTER',
      parser: line(FOOTER_MAX),
      unset: 'no footer',
      meaning:
        'Text at the end of documents, such as a registration number. A PDF file shows its first line on every page.',
      example: 'Registered in Berlin, HRB 12345',
    }),
    contact: optionalSetting({
      name: 'DOCUMENT_CONTACT',
      parser: line(NAME_MAX),
      unset: 'no contact',
      meaning: 'Where readers of a document can ask, such as an address of your support.',
      example: 'support@market.example',
    }),
    explorerUrl: optionalSetting({
      name: 'LEDGER_EXPLORER_URL',
      parser: explorerUrl,
      unset: 'receipts show the hashes without links',
      meaning: 'Address at which a transaction of the ledger can be looked up; {hash} is replaced by its hash.',
      example: 'https://explorer.example/tx/{hash}',
    }),
    publicReceipts: setting({
      name: 'PUBLIC_RECEIPTS',
      parser: boolean,
      default: 'off',
      meaning:
        'Whether receipts can have public links. Who has a link can read that receipt without a key. When off, no link can be created and every link answers 404.',
      example: 'on',
    }),
  },
};
