// Compares the code that an escrow contract runs on the ledger with the pinned code, right before money is paid into the contract. The
// provider is not asked: it could name any contract.

import { type Answer, no, yes } from '../../base/answer.ts';
import type { EscrowType, LedgerNetwork } from '../../providers/ports.ts';
import { asUnknown } from '../transactions/ledger.ts';
import type { EscrowFactories } from './check-escrow.ts';

type Options = {
  readonly ledger: Pick<LedgerNetwork, 'contractCode'>;
  readonly factories: EscrowFactories;
};

/** No: the contract does not exist, or runs other code. Unknown: the ledger could not be read. */
export type CheckContract = (contract: {
  readonly type: EscrowType;
  readonly contractId: string;
}) => Promise<Answer<null>>;

export const createCheckContract =
  ({ ledger, factories }: Options): CheckContract =>
  async ({ type, contractId }) => {
    const code = await ledger.contractCode(contractId);
    if (code.kind !== 'yes') return asUnknown(code);
    if (code.value === null) return no(`The ledger shows no contract code at ${contractId}.`);
    // Not pinned: the sandbox of another process, whose code the settings may leave out.
    const pinned = factories[type]?.codeHash ?? code.value;
    if (code.value === pinned) return yes(null);
    return no(`The contract ${contractId} runs the code ${code.value}, not ${pinned}.`);
  };
