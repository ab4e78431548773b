// Contract calls: finds the program of a contract's address, runs it, and checks that the needed signers authorised exactly this
// call. The token contracts of the assets are here; other programs are installed.

import { Address, nativeToScVal, scValToNative, type xdr } from '@stellar/stellar-sdk';
import type { AssetName } from './assets.ts';
import { type Authority, authorityOf } from './authority.ts';
import type { Draft, Move, MoveProblem } from './draft.ts';
import { ContractFailure } from './failures.ts';

// What the ledger gives a transaction while it is applied.
export type Machine = {
  ledger: number;
  at: number;
  programs: Map<string, Program>;
  // Token contracts by their address.
  tokens: Map<string, AssetName>;
  alter: (amount: bigint) => bigint;
};

export type Call = { contract: string; fn: string; args: xdr.ScVal[] };

// The functions for a program. A transfer out of the contract itself needs no further authorisation.
export type Host = {
  self: string;
  now: number;
  draft: Draft;
  requireAuth(address: string): void;
  transfer(transfer: { token: string; from: string; to: string; amount: bigint }): void;
  balance(token: string, holder: string): bigint;
};

export type Program = (host: Host, call: Call) => void;

type Invocation = { operation: xdr.InvokeHostFunctionOp; source: string; draft: Draft; machine: Machine };

export function invokeContract({ operation, source, draft, machine }: Invocation): Move[] {
  const { hostFunction, auth } = operation;
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') {
    throw new ContractFailure('Only contract calls are supported.');
  }
  const call = readCall(hostFunction.invokeContract);
  return runCall(call, { draft, machine, authority: authorityOf({ call, auth, source }) });
}

export function readCall({ contractAddress, functionName, args }: xdr.InvokeContractArgs): Call {
  return { contract: Address.fromScAddress(contractAddress).toString(), fn: functionName.toString(), args };
}

type Run = { draft: Draft; machine: Machine; authority: Authority };

export function runCall(call: Call, { draft, machine, authority }: Run): Move[] {
  const moves: Move[] = [];
  const transfer: Host['transfer'] = ({ token, from, to, amount }) => {
    const asset = machine.tokens.get(token);
    if (asset === undefined) throw new ContractFailure(`There is no token contract ${token}.`);
    if (amount <= 0n) throw new ContractFailure('The amount of a transfer must be above zero.');
    const move = { asset, from, to, amount: machine.alter(amount) };
    const problem = draft.move(move);
    if (problem !== null) throw new ContractFailure(TRANSFER_PROBLEMS[problem](move));
    moves.push(move);
  };

  if (machine.tokens.has(call.contract)) {
    if (call.fn !== 'transfer') throw new ContractFailure(`The token contract has no function ${call.fn}.`);
    const [from, to, amount] = call.args.map((argument) => scValToNative(argument));
    authority.require(from, null);
    transfer({ token: call.contract, from, to, amount });
    return moves;
  }
  const contract = draft.contract(call.contract);
  const program = contract === undefined ? undefined : machine.programs.get(contract.program);
  if (program === undefined) throw new ContractFailure(`There is no contract ${call.contract}.`);
  const host: Host = {
    self: call.contract,
    now: machine.at,
    draft,
    requireAuth: (address) => authority.require(address, null),
    transfer(wanted) {
      if (wanted.from !== call.contract) authority.require(wanted.from, transferCall(wanted));
      transfer(wanted);
    },
    balance(token, holder) {
      const asset = machine.tokens.get(token);
      return asset === undefined ? 0n : draft.balance(holder, asset);
    },
  };
  program(host, call);
  return moves;
}

export function transferCall({ token, from, to, amount }: Parameters<Host['transfer']>[0]): Call {
  const args = [
    Address.fromString(from).toScVal(),
    Address.fromString(to).toScVal(),
    nativeToScVal(amount, { type: 'i128' }),
  ];
  return { contract: token, fn: 'transfer', args };
}

const TRANSFER_PROBLEMS: Record<MoveProblem, (move: Move) => string> = {
  underfunded: ({ from }) => `resulting balance is not within the allowed range: ${from} has too little`,
  src_no_trust: ({ from }) => `trustline entry is missing for account ${from}`,
  src_not_authorized: ({ from }) => `balance is deauthorized: ${from}`,
  no_destination: ({ to }) => `account entry is missing for ${to}`,
  no_trust: ({ to }) => `trustline entry is missing for account ${to}`,
  not_authorized: ({ to }) => `balance is deauthorized: ${to}`,
  line_full: ({ to }) => `resulting balance is not within the allowed range: ${to} cannot hold more`,
};
