// Names the accounts of the books as accountants do: assets, liabilities, income, expenses and equity. The currency is not part of the
// name, because each amount of a journal has its own.

/** An account of an export, and the records that its id names. */
export type ExportAccount = {
  readonly name: string;
  readonly currency: string;
  readonly userId: string | null;
  readonly orderId: string | null;
};

type Named = Pick<ExportAccount, 'name'> & Partial<ExportAccount>;

/** The fees of the payment provider are on the same account of the books as those of the network. The move tells them apart. */
const PROVIDER_FEE = 'payment_fee';

const ofOperator: Readonly<Record<string, string>> = {
  adjustments: 'equity:adjustments',
  'opening-balances': 'equity:opening-balances',
  'escrow-surplus': 'liabilities:escrow-surplus',
  'late-topups': 'liabilities:late-topups',
};

const within = (name: string, part: string): string => (part === '' ? name : `${name}:${part}`);

const named = ({ kind, part, move }: { kind: string; part: string; move: string }): Named | null => {
  if (kind.startsWith('usr_')) return { name: `liabilities:users:${kind}:${part}`, userId: kind };
  if (kind.startsWith('ord_') && part === 'escrow') return { name: `liabilities:orders:${kind}`, orderId: kind };
  switch (kind) {
    case 'operator':
      return ofOperator[part] === undefined ? null : { name: ofOperator[part] };
    case 'platform':
      return { name: 'income:fees' };
    case 'network':
      return { name: move === PROVIDER_FEE ? 'expenses:provider-fees' : 'expenses:network-fees' };
    case 'wallet':
      return { name: `assets:wallets:${part}` };
    case 'contract':
      return { name: `assets:contracts:${part}` };
    case 'payment-float':
      return { name: within('assets:provider', part) };
    case 'payment-float-owed':
      return { name: within('liabilities:provider', part) };
    default:
      return null;
  }
};

/** The account in an export. A new kind of account without a name here is an error: a journal that leaves money out is worse than none. */
export const exportAccount = (id: string, move: string): ExportAccount => {
  const first = id.indexOf(':');
  const last = id.lastIndexOf(':');
  const found = named({ kind: id.slice(0, first), part: id.slice(first + 1, Math.max(first + 1, last)), move });
  if (!found) throw new Error(`the account ${id} has no name in exports`);
  return { userId: null, orderId: null, ...found, currency: id.slice(last + 1) };
};

/** Our own words, such as `network-fees`. */
const WORDS = /^[a-z]+(-[a-z]+)*$/;

/** A part of a beancount account: letters, digits and dashes, and no two parts of one case give the same part. Words stay readable. */
const beancountPart = (part: string): string => {
  const others = /^[a-z_]+$/.test(part) ? /[^A-Za-z0-9]/g : /[^A-Za-z0-9_]/g;
  const escaped = part.replace(others, (sign) => `--${sign.codePointAt(0)!.toString(16)}-`).replaceAll('_', '-');
  const text = WORDS.test(part) ? part : escaped;
  return text.replace(/^[^A-Z0-9]/, (sign) => (/[a-z]/.test(sign) ? sign.toUpperCase() : `X${sign}`));
};

export const beancountName = (name: string): string => name.split(':').map(beancountPart).join(':');
