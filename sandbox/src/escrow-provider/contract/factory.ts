// The factory contracts: one function each, which creates an escrow contract at an address that follows from the factory and the
// salt, so that the signer knows the address before anything is sent.

import { Address, hash, StrKey, scValToNative, xdr } from '@stellar/stellar-sdk';
import { ContractFailure } from '../../ledger-network/failures.ts';
import type { Program } from '../../ledger-network/invoke.ts';
import { refuseIf } from './errors.ts';
import type { Escrow, EscrowType } from './escrow.ts';
import { checkInitial } from './rules-setup.ts';
import { address, bytes, list, readEscrow, symbol, writeEscrow } from './values.ts';

export const DEPLOY_FUNCTIONS: Record<EscrowType, string> = {
  'single-release': 'tw_new_single_release_escrow',
  'multi-release': 'tw_new_multi_release_escrow',
};

const INITIALIZE = 'initialize_escrow';

const fixed = (words: string) => hash(Buffer.from(words));

export const factoryAddress = (type: EscrowType, passphrase: string): string =>
  StrKey.encodeContract(fixed(`${passphrase} / ${type} factory`));

// Represents the code of the escrow contract: there is one for each type.
export const codeHash = (type: EscrowType): Uint8Array => fixed(`${type} escrow`);

export function escrowAddress({
  factory,
  salt,
  passphrase,
}: {
  factory: string;
  salt: Uint8Array;
  passphrase: string;
}) {
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: hash(Buffer.from(passphrase)),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({ address: Address.fromString(factory).toScAddress(), salt }),
      ),
    }),
  );
  return StrKey.encodeContract(hash(preimage.toXdr()));
}

export function deployArguments(escrow: Escrow, { signer, salt }: { signer: string; salt: Uint8Array }): xdr.ScVal[] {
  const initial = list([writeEscrow(escrow)]);
  return [address(signer), bytes(codeHash(escrow.type)), bytes(salt), symbol(INITIALIZE), initial, list([])];
}

export const factoryProgram =
  ({ type, passphrase }: { type: EscrowType; passphrase: string }): Program =>
  (host, { fn, args }) => {
    if (fn !== DEPLOY_FUNCTIONS[type]) throw new ContractFailure(`The factory has no function ${fn}.`);
    const [signer, code, salt, init] = args.slice(0, 4).map((argument) => scValToNative(argument));
    const first = args[4]?.type === 'scvVec' ? args[4].vec?.[0] : undefined;
    if (Buffer.compare(code, codeHash(type)) !== 0 || init !== INITIALIZE || first === undefined) {
      throw new ContractFailure('The factory deploys only its own escrow contract, with initialize_escrow.');
    }
    const place = escrowAddress({ factory: host.self, salt, passphrase });
    refuseIf(host.draft.contract(place) !== undefined, 'AlreadyInitialized');
    const escrow = readEscrow(first, type);
    checkInitial(escrow);
    host.requireAuth(signer);
    const { now } = host;
    const made = { address: place, program: 'escrow', code: Buffer.from(code).toString('hex') };
    const contract = { ...made, balances: {}, data: escrow, creator: signer };
    host.draft.add({ ...contract, createdAt: now, changedAt: now });
  };
