// Which licences packages may have, and how a licence is read: as an SPDX expression with AND, OR, WITH and parentheses. Pure.

/** Licences of what is shipped. Each allows use in a closed product that names its authors. */
const SHIPPED = ['MIT', 'MIT-0', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense', 'CC0-1.0'];

/** Also for what builds or tests and is never shipped: their terms concern copies that are passed on. */
const TOOLS = [...SHIPPED, 'MPL-2.0', 'Python-2.0', 'PSF-2.0'];

/** Licences that were read, because the package has no SPDX name for them. `declared` is what the lock file says. */
export const READ_LICENCES: Readonly<Record<string, { readonly declared: string; readonly is: string }>> = {
  // Use, copy, embed and sell with other software; a changed font needs another name.
  'dejavu-fonts-ttf': { declared: 'SEE LICENSE IN README.md AND LICENSE', is: 'Bitstream-Vera' },
  // Only its LICENSE file says it.
  'png-js': { declared: 'none', is: 'MIT' },
};

type Reading = { readonly tokens: readonly string[]; at: number };

const TOKEN = /\(|\)|[\w.+-]+/g;

const readTerm = (reading: Reading, allowed: readonly string[]): boolean => {
  const token = reading.tokens[reading.at++];
  if (token === '(') {
    const inside = readOr(reading, allowed);
    if (reading.tokens[reading.at++] !== ')') throw new Error('a parenthesis is not closed');
    return inside;
  }
  if (token === undefined || /^(\)|AND|OR|WITH)$/.test(token)) throw new Error(`a licence is missing at ${token}`);
  if (reading.tokens[reading.at] !== 'WITH') return allowed.includes(token);
  // An exception is allowed by its whole name only.
  const exception = reading.tokens[reading.at + 1];
  reading.at += 2;
  return allowed.includes(`${token} WITH ${exception}`);
};

const readAnd = (reading: Reading, allowed: readonly string[]): boolean => {
  let holds = readTerm(reading, allowed);
  while (reading.tokens[reading.at] === 'AND') {
    reading.at++;
    holds = readTerm(reading, allowed) && holds;
  }
  return holds;
};

const readOr = (reading: Reading, allowed: readonly string[]): boolean => {
  let holds = readAnd(reading, allowed);
  while (reading.tokens[reading.at] === 'OR') {
    reading.at++;
    holds = readAnd(reading, allowed) || holds;
  }
  return holds;
};

/** Whether an SPDX expression can be met with the allowed licences. What cannot be read is not allowed. */
const meets = (expression: string, allowed: readonly string[]): boolean => {
  const tokens = expression.match(TOKEN) ?? [];
  if (tokens.join('') !== expression.replaceAll(' ', '')) return false;
  const reading = { tokens, at: 0 };
  try {
    return readOr(reading, allowed) && reading.at === tokens.length;
  } catch {
    return false;
  }
};

type Licensed = { readonly name: string; readonly license?: string | undefined; readonly isTool: boolean };

export const hasAllowedLicence = ({ name, license = 'none', isTool }: Licensed): boolean =>
  READ_LICENCES[name]?.declared === license || meets(license, isTool ? TOOLS : SHIPPED);
