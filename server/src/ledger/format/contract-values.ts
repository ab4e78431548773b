// The values of contract calls in their binary form, as docs/sandbox-contract.md lists them. A structure is a map whose
// keys are symbols in alphabetical order; amounts are i128 in 10^-7.

import { createHash } from 'node:crypto';
import type { Asset, xdr } from '@stellar/stellar-sdk';
import { library } from '../../providers/network/library.ts';
import type { LedgerAsset } from '../../providers/ports.ts';

export type Value = xdr.ScVal;
export type Call = { readonly contract: string; readonly fn: string; readonly args: readonly Value[] };

const scVal = () => library().xdr.ScVal;

export const text = (value: string): Value => scVal().scvString(value);
export const symbol = (value: string): Value => scVal().scvSymbol(value);
export const address = (value: string): Value => library().Address.fromString(value).toScVal();
export const i128 = (value: bigint): Value => library().nativeToScVal(value, { type: 'i128' });
export const u32 = (value: number): Value => scVal().scvU32(value);
export const flag = (value: boolean): Value => scVal().scvBool(value);
export const bytes = (value: Uint8Array): Value => scVal().scvBytes(value);
export const list = (values: Value[]): Value => scVal().scvVec(values);
export const nothing = (): Value => scVal().scvVoid();

export const struct = (fields: Record<string, Value>): Value =>
  scVal().scvMap(
    Object.keys(fields)
      .sort()
      .map((name) => new (library().xdr.ScMapEntry)({ key: symbol(name), val: fields[name]! })),
  );

/** The ledger requires the keys of a map in its own order. */
export const shares = (parts: readonly { address: string; amount: bigint }[]): Value =>
  library().scvSortedMap(
    parts.map((part) => new (library().xdr.ScMapEntry)({ key: address(part.address), val: i128(part.amount) })),
  );

export const encoded = (value: Value): string => value.toXdr('base64');

/** The bytes of an argument; null when it is anything else. */
export const bytesIn = (argument: string | undefined): Buffer | null => {
  if (argument === undefined) return null;
  const value = scVal().fromXdr(argument, 'base64');
  return value.type === 'scvBytes' ? Buffer.from(value.bytes.toBytes()) : null;
};

const assetOf = ({ code, issuer }: LedgerAsset): Asset => {
  const { Asset } = library();
  return issuer === null ? Asset.native() : new Asset(code, issuer);
};

/** The contract through which other contracts move an asset. */
export const tokenOf = ({ code, issuer }: LedgerAsset, networkPassphrase: string): string =>
  assetOf({ code, issuer }).contractId(networkPassphrase);

/** The address of the contract that a factory deploys with this salt. */
export const deployedAt = (of: { factory: string; salt: Uint8Array; networkPassphrase: string }): string => {
  const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
  const { Address, StrKey, xdr } = library();
  const preimage = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: sha256(of.networkPassphrase),
      contractIdPreimage: xdr.ContractIdPreimage.contractIdPreimageFromAddress(
        new xdr.ContractIdPreimageFromAddress({
          address: Address.fromString(of.factory).toScAddress(),
          salt: of.salt,
        }),
      ),
    }),
  );
  return StrKey.encodeContract(sha256(preimage.toXdr()));
};

const written = ({ contract, fn, args }: Call): xdr.InvokeContractArgs => {
  const { Address, xdr } = library();
  const contractAddress = Address.fromString(contract).toScAddress();
  return new xdr.InvokeContractArgs({ contractAddress, functionName: fn, args: [...args] });
};

const authorised = (call: Call, subInvocations: xdr.SorobanAuthorizedInvocation[]): xdr.SorobanAuthorizedInvocation => {
  const { xdr } = library();
  const called = xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(written(call));
  return new xdr.SorobanAuthorizedInvocation({ function: called, subInvocations });
};

/** The one authorisation that a call needs from the account that signs it: the call itself, and the nested calls. */
export const authorisationOf = (call: Call, nested: readonly Call[]): string => {
  const { xdr } = library();
  const credentials = xdr.SorobanCredentials.sorobanCredentialsSourceAccount();
  const below = nested.map((one) => authorised(one, []));
  return new xdr.SorobanAuthorizationEntry({ credentials, rootInvocation: authorised(call, below) }).toXdr('base64');
};
