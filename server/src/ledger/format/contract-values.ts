// The values of contract calls in their binary form, as docs/sandbox-contract.md lists them. A structure is a map whose
// keys are symbols in alphabetical order; amounts are i128 in 10^-7.

import { createHash } from 'node:crypto';
import { Address, Asset, nativeToScVal, StrKey, scvSortedMap, xdr } from '@stellar/stellar-sdk';
import type { LedgerAsset } from '../../providers/ports.ts';

export type Value = xdr.ScVal;
export type Call = { readonly contract: string; readonly fn: string; readonly args: readonly Value[] };

const { ScVal } = xdr;

export const text = (value: string): Value => ScVal.scvString(value);
export const symbol = (value: string): Value => ScVal.scvSymbol(value);
export const address = (value: string): Value => Address.fromString(value).toScVal();
export const i128 = (value: bigint): Value => nativeToScVal(value, { type: 'i128' });
export const u32 = (value: number): Value => ScVal.scvU32(value);
export const flag = (value: boolean): Value => ScVal.scvBool(value);
export const bytes = (value: Uint8Array): Value => ScVal.scvBytes(value);
export const list = (values: Value[]): Value => ScVal.scvVec(values);
export const nothing = (): Value => ScVal.scvVoid();

export const struct = (fields: Record<string, Value>): Value =>
  ScVal.scvMap(
    Object.keys(fields)
      .sort()
      .map((name) => new xdr.ScMapEntry({ key: symbol(name), val: fields[name]! })),
  );

/** The ledger requires the keys of a map in its own order. */
export const shares = (parts: readonly { address: string; amount: bigint }[]): Value =>
  scvSortedMap(parts.map((part) => new xdr.ScMapEntry({ key: address(part.address), val: i128(part.amount) })));

export const encoded = (value: Value): string => value.toXdr('base64');

/** The bytes of an argument; null when it is anything else. */
export const bytesIn = (argument: string | undefined): Buffer | null => {
  if (argument === undefined) return null;
  const value = ScVal.fromXdr(argument, 'base64');
  return value.type === 'scvBytes' ? Buffer.from(value.bytes.toBytes()) : null;
};

/** The contract through which other contracts move an asset. */
export const tokenOf = ({ code, issuer }: LedgerAsset, networkPassphrase: string): string =>
  (issuer === null ? Asset.native() : new Asset(code, issuer)).contractId(networkPassphrase);

/** The address of the contract that a factory deploys with this salt. */
export const deployedAt = (of: { factory: string; salt: Uint8Array; networkPassphrase: string }): string => {
  const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest();
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

const written = ({ contract, fn, args }: Call): xdr.InvokeContractArgs =>
  new xdr.InvokeContractArgs({
    contractAddress: Address.fromString(contract).toScAddress(),
    functionName: fn,
    args: [...args],
  });

const authorised = (call: Call, subInvocations: xdr.SorobanAuthorizedInvocation[]): xdr.SorobanAuthorizedInvocation =>
  new xdr.SorobanAuthorizedInvocation({
    function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(written(call)),
    subInvocations,
  });

/** The one authorisation that a call needs from the account that signs it: the call itself, and the nested calls. */
export const authorisationOf = (call: Call, nested: readonly Call[]): string =>
  new xdr.SorobanAuthorizationEntry({
    credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
    rootInvocation: authorised(
      call,
      nested.map((below) => authorised(below, [])),
    ),
  }).toXdr('base64');
