// The proof that every cent is there.

import type { Command } from 'commander';
import { define } from '../define.ts';
import { EXIT } from '../failures.ts';
import { action } from '../run.ts';
import { showProof } from '../view/proof.ts';

export const addProofCommand = (program: Command): void => {
  define(program, {
    name: 'proof',
    what: 'recompute the books from every posting; ends with 1 when they do not hold',
    examples: ['holdfast proof', 'holdfast proof --json | jq .holds'],
  }).action(
    action(async ({ client, out }) => {
      const proof = await client.audit.proof();
      if (out.isJson) out.json(proof);
      else showProof(out, proof);
      return proof.holds ? EXIT.fine : EXIT.refused;
    }),
  );
};
