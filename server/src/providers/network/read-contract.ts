// Reads contracts from the ledger through the network's RPC server, because Horizon does not show them: which code a contract runs, and
// how much of an asset it holds. A contract can replace its own code, so the deployment alone does not say which code it runs.

import type { xdr } from '@stellar/stellar-sdk';
import { type Answer, unknown, yes } from '../../base/answer.ts';
import { type Amount, fromUnits } from '../../books/money.ts';
import type { ProviderClient } from '../http-client.ts';
import type { ContractHolding } from '../ledger-port.ts';
import { fieldsOf, findText, isFields, listOf, textOf, Unreadable } from '../reply-fields.ts';
import { library } from './library.ts';

const keyOf = (contractId: string, key: xdr.ScVal): string => {
  const { Address, xdr } = library();
  const contract = new Address(contractId).toScAddress();
  const durability = xdr.ContractDataDurability.persistent;
  return xdr.LedgerKey.contractData(new xdr.LedgerKeyContractData({ contract, key, durability })).toXdr('base64');
};

const valueIn = (entry: string): xdr.ScVal => {
  const data = library().xdr.LedgerEntryData.fromXdr(entry, 'base64');
  if (data.type !== 'contractData') throw new Error('another entry');
  return data.contractData.val;
};

/** Null: the contract has no code of its own, as the contract of an asset. */
const codeIn = (entry: string): string | null => {
  const value = valueIn(entry);
  if (value.type !== 'scvContractInstance') throw new Error('another entry');
  const { executable } = value.instance;
  return executable.type === 'contractExecutableWasm'
    ? Buffer.from(executable.wasmHash.toXdrObject()).toString('hex')
    : null;
};

/** A balance that the contract of an asset keeps for another contract. */
const balanceIn = (entry: string): Amount => {
  const { amount } = library().scValToNative(valueIn(entry));
  if (typeof amount !== 'bigint') throw new Error('another entry');
  return fromUnits(amount);
};

/** The value of one entry. Yes with null: there is no such entry. */
const readEntry = <T>(
  rpc: ProviderClient,
  { key, readValue }: { readonly key: string; readValue(entry: string): T },
): Promise<Answer<T | null>> =>
  rpc.request<T | null>({
    operation: 'contract',
    method: 'POST',
    path: '',
    repeatable: true,
    json: () => ({ jsonrpc: '2.0', id: 1, method: 'getLedgerEntries', params: { keys: [key] } }),
    read({ json }) {
      const reply = fieldsOf(json, 'The answer');
      if (isFields(reply.error)) {
        const why = findText(reply.error, 'message') ?? 'it gave no reason';
        return unknown(`The ledger did not show the contract: ${why}`, { code: 'unclear' });
      }
      const entries = listOf(fieldsOf(reply.result, 'result').entries ?? [], 'entries').map((each) => fieldsOf(each));
      const own = entries.find((entry) => findText(entry, 'key') === key);
      if (own === undefined) return yes(null);
      const text = textOf(own, 'xdr');
      try {
        return yes(readValue(text));
      } catch {
        throw new Unreadable('The entry of the contract cannot be read.');
      }
    },
  });

/** The hash of the contract's code in hex. Yes with null: there is no such contract, or it has no code of its own. */
export const readContractCode = (rpc: ProviderClient, contractId: string): Promise<Answer<string | null>> =>
  readEntry(rpc, { key: keyOf(contractId, library().xdr.ScVal.scvLedgerKeyContractInstance()), readValue: codeIn });

export const readContractBalance = (
  rpc: ProviderClient,
  { contractId, token }: ContractHolding,
): Promise<Answer<Amount | null>> => {
  const { Address, xdr } = library();
  const place = xdr.ScVal.scvVec([xdr.ScVal.scvSymbol('Balance'), new Address(contractId).toScVal()]);
  return readEntry(rpc, { key: keyOf(token, place), readValue: balanceIn });
};
