// The RPC server of the network, as far as it is needed: getLedgerEntries for the instances of contracts, which say what code a
// contract runs, and for the balances that the contract of an asset keeps for other contracts. Unknown keys have no entry in the answer,
// as on the real network.

import { Address, nativeToScVal, scValToNative, xdr } from '@stellar/stellar-sdk';
import type { Fault } from '../../faults.ts';
import { OPERATIONS } from '../../faults-table.ts';
import { answerUnder } from '../../http-misbehave.ts';
import { Refusal } from '../../refusal.ts';
import type { LedgerConfig } from '../../sandbox-config.ts';
import type { SimulatorTools } from '../../simulator.ts';
import type { AssetName } from '../assets.ts';
import { currentLedger } from '../ledgers.ts';
import type { Contract, Store } from '../store.ts';

type Tools = SimulatorTools<LedgerConfig> & { store: Store; tokens: ReadonlyMap<string, AssetName> };
type Call = { jsonrpc?: unknown; id?: unknown; method?: unknown; params?: unknown };
// A key that can be asked for: the code of a contract, or its balance of an asset.
type Asked = { key: string; contract: Contract | undefined; token: string | null };

const KEYS_MAX = 200;
const INVALID_PARAMS = -32_602;
const METHOD_NOT_FOUND = -32_601;
const INTERNAL = -32_603;

// A balance says nothing about the code.
const ON_BALANCES = OPERATIONS['contract-get'].filter((fault) => fault !== 'wrong-code');

export function rpcRoutes({ app, clock, faults, flush, store, tokens }: Tools): void {
  app.post<{ Body: Call }>('/rpc', (request, reply) => {
    const { id = null, method, params } = request.body ?? {};
    const failed = (code: number, message: string) => ({ jsonrpc: '2.0', id, error: { code, message } });
    if (method !== 'getLedgerEntries') return failed(METHOD_NOT_FOUND, 'method not found');
    const keys = (params as { keys?: unknown } | undefined)?.keys;
    if (!Array.isArray(keys) || keys.length === 0 || keys.length > KEYS_MAX) {
      return failed(INVALID_PARAMS, `keys must be 1 to ${KEYS_MAX} ledger keys`);
    }
    const asked = keys.map((key) => readKey(store, String(key)));
    if (asked.some((one) => one === null)) return failed(INVALID_PARAMS, 'cannot unmarshal a key value');
    const found = asked.filter((one) => one !== null);
    const ids = found.flatMap(({ contract }) => (contract ? [contract.address, engagementOf(contract.data)] : []));
    const latestLedger = currentLedger(store, clock.now());
    const act = (fault: Fault | null) => {
      const entries = found.flatMap((one) =>
        one.token === null ? codeEntry(one, fault !== null) : balanceEntry(one, tokens.get(one.token)),
      );
      return { jsonrpc: '2.0', id, result: { entries, latestLedger } };
    };
    const refuse = () => {
      throw new Refusal(200, 'Refused by an armed fault.', failed(INTERNAL, 'Refused by an armed fault.'));
    };
    const of = found.some(({ token }) => token === null) ? OPERATIONS['contract-get'] : ON_BALANCES;
    return answerUnder({ reply, fault: faults.strike({ operation: 'contract-get', ids, of }), flush, refuse, act });
  });
}

// Null: neither the key of a contract's instance nor of a contract's balance.
function readKey(store: Store, key: string): Asked | null {
  try {
    const read = xdr.LedgerKey.fromXdr(key, 'base64');
    if (read.type !== 'contractData') return null;
    const address = Address.fromScAddress(read.contractData.contract).toString();
    if (read.contractData.key.type === 'scvLedgerKeyContractInstance') {
      return { key, contract: store.contracts.get(address), token: null };
    }
    const [name, holder] = scValToNative(read.contractData.key);
    return name === 'Balance' ? { key, contract: store.contracts.get(holder), token: address } : null;
  } catch {
    return null;
  }
}

const engagementOf = (data: unknown) => (data as { engagementId?: string } | null)?.engagementId;

function entryAt({ key }: Asked, val: xdr.ScVal) {
  const read = xdr.LedgerKey.fromXdr(key, 'base64');
  if (read.type !== 'contractData') return [];
  const { contract, key: place, durability } = read.contractData;
  const entry = xdr.LedgerEntryData.contractData(
    new xdr.ContractDataEntry({ ext: xdr.ExtensionPoint.v0(), contract, key: place, durability, val }),
  );
  return [{ key, xdr: entry.toXdr('base64'), lastModifiedLedgerSeq: 1 }];
}

function codeEntry(asked: Asked, isWrong: boolean) {
  const code = asked.contract?.code;
  if (typeof code !== 'string') return [];
  const hash = Buffer.from(code, 'hex');
  if (isWrong) hash[0]! ^= 255;
  const executable = xdr.ContractExecutable.contractExecutableWasm(hash);
  return entryAt(asked, xdr.ScVal.scvContractInstance(new xdr.ScContractInstance({ executable, storage: null })));
}

function balanceEntry(asked: Asked, asset: AssetName | undefined) {
  const units = asset === undefined ? undefined : asked.contract?.balances[asset];
  if (units === undefined) return [];
  const fields = {
    amount: nativeToScVal(units, { type: 'i128' }),
    authorized: xdr.ScVal.scvBool(true),
    clawback: xdr.ScVal.scvBool(false),
  };
  const entries = Object.entries(fields).map(
    ([name, val]) => new xdr.ScMapEntry({ key: xdr.ScVal.scvSymbol(name), val }),
  );
  return entryAt(asked, xdr.ScVal.scvMap(entries));
}
