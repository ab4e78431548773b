// Payments from outside: pays an address, or creates a new account. They are real, signed transactions of the outsider's account, so
// they are found like every other payment.

import { Account, type Keypair, Operation, StrKey, TransactionBuilder, xdr } from '@stellar/stellar-sdk';
import { Refusal } from '../refusal.ts';
import { formatAmount, parseAmount } from './amounts.ts';
import { NATIVE, toAsset } from './assets.ts';
import { recordAuthority, writeCall } from './authority.ts';
import type { InitialAccounts } from './initial-accounts.ts';
import { transferCall } from './invoke.ts';
import { type Network, type Outcome, submit } from './submit.ts';

export type FaucetPayment = { address: string; asset: 'USDC' | 'XLM'; amount: string };

export type Outside = { network: Network; initial: InitialAccounts };

const FRIENDLY_START = '10000.0000000';

export function payFromOutside(outside: Outside, { address, asset, amount }: FaucetPayment) {
  const { network, initial } = outside;
  const units = parseAmount(amount);
  if (units === null || units === 0n) {
    throw new Refusal(400, `"${amount}" is not a valid amount: use a decimal above zero with at most seven places.`);
  }
  const name = asset === 'XLM' ? NATIVE : initial.usdc;
  const operation = StrKey.isValidContract(address)
    ? payContract(outside, { address, name, units })
    : payAccount(outside, { address, name, units });
  const { hash, id, ledger } = done(submit(network, { text: sign(outside, operation), twist: { free: true } }));
  return {
    hash,
    operationId: String(BigInt(id) + 1n),
    ledger,
    from: initial.outsider.publicKey(),
    to: address,
    amount,
  };
}

// Like Friendbot: null when the account already exists.
export function createAccount(outside: Outside, address: string): Outcome | null {
  if (outside.network.store.accounts.has(address)) return null;
  const create = Operation.createAccount({ destination: address, startingBalance: FRIENDLY_START });
  return submit(outside.network, { text: sign(outside, create), twist: { free: true } });
}

type Target = { address: string; name: string; units: bigint };

function payAccount({ network, initial }: Outside, { address, name, units }: Target): xdr.Operation {
  if (!StrKey.isValidEd25519PublicKey(address)) {
    throw new Refusal(400, `"${address}" is not an address: use an account (G…) or a contract (C…).`);
  }
  const account = network.store.accounts.get(address);
  if (account === undefined) {
    const sentence = `The account ${address} does not exist. Create it first: GET /ledger/friendbot?addr=${address}.`;
    throw new Refusal(404, sentence);
  }
  if (name !== NATIVE && address !== initial.issuer.publicKey() && account.lines[name] === undefined) {
    const sentence = `The account ${address} does not trust ${name}. Let it submit a change-trust operation first.`;
    throw new Refusal(422, sentence);
  }
  return Operation.payment({ destination: address, asset: toAsset(name), amount: formatAmount(units) });
}

function payContract({ network, initial }: Outside, { address, name, units }: Target): xdr.Operation {
  if (!network.store.contracts.has(address)) {
    throw new Refusal(404, `There is no contract ${address}. Deploy it first.`);
  }
  const from = initial.outsider.publicKey();
  const token = toAsset(name).contractId(network.passphrase);
  const call = transferCall({ token, from, to: address, amount: units });
  const { authority, entries } = recordAuthority({ call, source: from });
  authority.require(from, null);
  const func = xdr.HostFunction.hostFunctionTypeInvokeContract(writeCall(call));
  return Operation.invokeHostFunction({ func, auth: entries() });
}

function sign({ network, initial }: Outside, operation: xdr.Operation): string {
  const key: Keypair = initial.outsider;
  const { sequence } = network.store.accounts.get(key.publicKey())!;
  const source = new Account(key.publicKey(), String(sequence));
  const transaction = new TransactionBuilder(source, {
    fee: String(network.baseFee),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  });
  const built = transaction.addOperation(operation).build();
  built.sign(key);
  return built.toXDR();
}

function done(outcome: Outcome) {
  if (outcome.kind === 'recorded' && outcome.transaction.successful) return outcome.transaction;
  const why = outcome.kind === 'malformed' ? outcome.sentence : codesOf(outcome);
  throw new Refusal(422, `The ledger refused the outsider's payment: ${why}.`);
}

function codesOf(outcome: Exclude<Outcome, { kind: 'malformed' }>): string {
  if (outcome.kind === 'waiting') return 'it waits';
  const codes = outcome.kind === 'recorded' ? outcome.transaction.codes : outcome.codes;
  return [codes.transaction, ...(codes.operations ?? [])].join(', ');
}

type Change = { asset_type: string; to: string; amount: string };

// What the outsider has paid into contracts, one entry per payment. It is no money of the contracts' parties.
export function outsidePayments({ network: { store }, initial }: Outside) {
  const ids = store.payments.get(initial.outsider.publicKey()) ?? [];
  return ids
    .flatMap((id) => (store.operations.get(id)!.detail.asset_balance_changes ?? []) as Change[])
    .filter(({ to }) => to.startsWith('C'))
    .map(({ to, asset_type, amount }) => ({ contractId: to, asset: asset_type === 'native' ? 'XLM' : 'USDC', amount }));
}
