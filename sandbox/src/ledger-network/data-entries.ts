// The data entries of an account: up to 64 bytes under a name, set by the account itself. Senders read the entry
// `config.memo_required`: with the value "1" the account demands a memo with every payment (SEP-29). The control API sets it too, and
// withdraws the permission to hold USDC.

import type { xdr } from '@stellar/stellar-sdk';
import { Refusal } from '../refusal.ts';
import type { AssetName } from './assets.ts';
import { reserveOf } from './draft.ts';
import { OperationFailure } from './failures.ts';
import type { Account, Store } from './store.ts';

export const MEMO_REQUIRED = 'config.memo_required';
export const MEMO_REQUIRED_VALUE = Buffer.from('1').toString('base64');

export function manageData(account: Account, op: xdr.ManageDataOp): void {
  const { name, value } = dataFields(op);
  const data = { ...account.data };
  if (value === '') {
    if (data[name] === undefined) throw new OperationFailure('op_data_name_not_found');
    delete data[name];
  } else data[name] = value;
  account.data = data;
  if (value !== '' && account.native < reserveOf(account)) throw new OperationFailure('op_low_reserve');
}

export const dataFields = ({ dataName, dataValue }: xdr.ManageDataOp): { name: string; value: string } => ({
  name: String(dataName),
  value: dataValue === null ? '' : Buffer.from(dataValue.toBytes()).toString('base64'),
});

export type AccountSettings = { memoRequired?: boolean; authorized?: boolean };

type Change = AccountSettings & { address: string; usdc: AssetName };

export function changeAccount(store: Store, { address, usdc, memoRequired, authorized }: Change): Account {
  const account = store.accounts.get(address);
  if (account === undefined) throw new Refusal(404, `There is no account ${address}. Create it first.`);
  const line = account.lines[usdc];
  if (authorized !== undefined && line === undefined) {
    throw new Refusal(409, `The account ${address} does not trust USDC. Let it submit a change-trust operation first.`);
  }
  const { [MEMO_REQUIRED]: demanded, ...rest } = account.data ?? {};
  const isDemanded = memoRequired ?? demanded !== undefined;
  const changed = {
    ...account,
    data: isDemanded ? { ...rest, [MEMO_REQUIRED]: MEMO_REQUIRED_VALUE } : rest,
    lines: line && authorized !== undefined ? { ...account.lines, [usdc]: { ...line, authorized } } : account.lines,
  };
  store.accounts.set(address, changed);
  return changed;
}
