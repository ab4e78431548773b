// Assets by one name each: `native`, or `CODE:ISSUER`. The name is the key of a trustline and of a contract's balance.

import { Asset, type xdr } from '@stellar/stellar-sdk';

export type AssetName = string;

export const NATIVE: AssetName = 'native';

export const nameAsset = (code: string, issuer: string): AssetName => `${code}:${issuer}`;

// Pool shares are not assets here: null.
export function readAsset(asset: xdr.Asset | xdr.ChangeTrustAsset): AssetName | null {
  if (asset.type === 'assetTypePoolShare') return null;
  const { code, issuer } = Asset.fromOperation(asset as xdr.Asset);
  return issuer === undefined ? NATIVE : nameAsset(code, issuer);
}

export function toAsset(name: AssetName): Asset {
  if (name === NATIVE) return Asset.native();
  const { code, issuer } = partsOf(name);
  return new Asset(code, issuer);
}

export function partsOf(name: AssetName): { code: string; issuer: string } {
  const colon = name.indexOf(':');
  return colon < 0 ? { code: 'XLM', issuer: '' } : { code: name.slice(0, colon), issuer: name.slice(colon + 1) };
}

export const isIssuer = (address: string, name: AssetName): boolean =>
  name !== NATIVE && name.length === address.length + name.indexOf(':') + 1 && name.endsWith(address);

// The asset as the ledger's answers write it, with a prefix such as `source_` where an answer names two.
export function assetFields(name: AssetName, prefix = ''): Record<string, string> {
  if (name === NATIVE) return { [`${prefix}asset_type`]: 'native' };
  const { code, issuer } = partsOf(name);
  return {
    [`${prefix}asset_type`]: code.length <= 4 ? 'credit_alphanum4' : 'credit_alphanum12',
    [`${prefix}asset_code`]: code,
    [`${prefix}asset_issuer`]: issuer,
  };
}
