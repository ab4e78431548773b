// The proof of balances as tables.

import type { Proof } from '@holdfast/sdk';
import { clockOf } from '../times.ts';
import type { Out } from './out.ts';

const scopeOf = ({ checkpoint, lastFullProof }: Proof): string => {
  const full = lastFullProof ? `fully proved at ${clockOf(lastFullProof.checkedAt)}` : 'not fully proved yet';
  return checkpoint
    ? `Proved from the checkpoint of ${clockOf(checkpoint.madeAt)}; ${full}.`
    : 'Proved from every posting.';
};

const resultOf = ({ holds, checkedAt, problem }: Proof['archives'][number]): string => {
  if (checkedAt === null) return 'not verified yet';
  return `${holds ? 'held' : `BROKEN: ${problem}`} (${clockOf(checkedAt)})`;
};

/** The months whose rows are in files, with what the last verification found. Nothing without archives. */
export const showArchives = (out: Out, archives: Proof['archives']): void => {
  if (archives.length === 0) return;
  out.line('');
  out.table(archives, [
    { title: 'archive', of: ({ period }) => period },
    { title: 'entries', of: ({ firstSequence, lastSequence }) => `${firstSequence} to ${lastSequence}` },
    { title: 'manifest', of: ({ manifestHash }) => manifestHash.slice(0, 12), minor: true },
    {
      title: 'files',
      of: resultOf,
      flexible: true,
      paint: (text, { holds }) => (holds === false ? out.paint.red(text) : text),
    },
  ]);
};

/** A sandbox books its test money as an asset and, with the opposite sign, as a manual adjustment. */
const TEST_MONEY = 'Sandbox: test money is in the assets, and with a minus in the manual adjustments.';

type Shown = { readonly proof: Proof; readonly isSandbox: boolean };

export const showProof = (out: Out, { proof, isSandbox }: Shown): void => {
  if (proof.currencies.length > 0) {
    out.table(proof.currencies, [
      { title: 'currency', of: ({ currency }) => currency },
      { title: 'liabilities', align: 'right', of: ({ claims }) => claims },
      { title: 'assets', align: 'right', of: ({ holdings }) => holdings },
      { title: 'manual adjustments', align: 'right', of: ({ adjustments }) => adjustments },
      { title: 'opening balances', align: 'right', of: ({ openingBalances }) => openingBalances },
      { title: 'difference', align: 'right', of: ({ difference }) => difference },
    ]);
    if (isSandbox) out.line(out.paint.dim(TEST_MONEY));
    out.line('');
  }
  out.table(proof.checks, [
    {
      title: '',
      of: ({ holds }) => (holds ? '✓' : '✗'),
      paint: (text, { holds }) => (holds ? out.paint.green(text) : out.paint.red(text)),
    },
    { title: 'check', of: ({ name }) => name },
    { title: 'detail', of: ({ detail }) => detail, flexible: true },
  ]);
  showArchives(out, proof.archives);
  out.line('');
  out.line(scopeOf(proof));
  out.line(
    proof.holds
      ? out.paint.green('Balanced: every cent is accounted for.')
      : out.paint.red('NOT balanced. Keep the data folder as it is and read the failed checks above.'),
  );
};
