// The proof of the books as tables.

import type { Proof } from '@holdfast/sdk';
import type { Out } from './out.ts';

export const showProof = (out: Out, proof: Proof): void => {
  if (proof.currencies.length > 0) {
    out.table(proof.currencies, [
      { title: 'currency', of: ({ currency }) => currency },
      { title: 'owed', align: 'right', of: ({ claims }) => claims },
      { title: 'held', align: 'right', of: ({ holdings }) => holdings },
      { title: 'put in by hand', align: 'right', of: ({ adjustments }) => adjustments },
      { title: 'difference', align: 'right', of: ({ difference }) => difference },
    ]);
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
  out.line('');
  out.line(
    proof.holds
      ? out.paint.green('The books hold: no cent is lost or made.')
      : out.paint.red('The books do NOT hold. Keep the data folder as it is and read the failed checks above.'),
  );
};
