// Turns a call of the contract into the unsigned transaction that its signer checks and signs: the signer's account as source, its
// next sequence number, five minutes of validity, one operation with exactly the needed authorisation.

import { Account, Operation, SorobanDataBuilder, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { recordAuthority, writeCall } from '../ledger-network/authority.ts';
import type { Call } from '../ledger-network/invoke.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import { asApiErrors, invalid } from './errors.ts';

const VALID_S = 300;

type Preparation = {
  ledger: LedgerNetwork;
  nowMs: number;
  signer: string;
  call: Call;
  // The contract would refuse a falsified call, but the signer must get to see it.
  unchecked?: boolean;
};

export function prepareCall({ ledger, nowMs, signer, call, unchecked = false }: Preparation): string {
  requireAccount(ledger, signer);
  const auth = unchecked ? entriesFor(call, signer) : asApiErrors(() => ledger.simulate(call, signer));
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(writeCall(call));
  const operation = Operation.invokeHostFunction({ func, auth });
  return prepareOperation({ ledger, nowMs, signer, operation, soroban: true });
}

type Single = { ledger: LedgerNetwork; nowMs: number; signer: string; operation: xdr.Operation; soroban: boolean };

export function prepareOperation({ ledger, nowMs, signer, operation, soroban }: Single): string {
  const { sequence } = requireAccount(ledger, signer);
  const builder = new TransactionBuilder(new Account(signer, String(sequence)), {
    // Like the real provider, which bids what the network asks for at this moment.
    fee: String(ledger.currentFee()),
    networkPassphrase: ledger.passphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(nowMs / 1_000) + VALID_S },
  });
  if (soroban) builder.setSorobanData(new SorobanDataBuilder().build());
  return builder.addOperation(operation).build().toXDR();
}

function entriesFor(call: Call, source: string): xdr.SorobanAuthorizationEntry[] {
  const { authority, entries } = recordAuthority({ call, source });
  authority.require(source, null);
  return entries();
}

function requireAccount(ledger: LedgerNetwork, address: string) {
  const account = ledger.account(address);
  if (account === undefined) throw invalid(`Account not found: ${address} does not exist on the network`);
  return account;
}
