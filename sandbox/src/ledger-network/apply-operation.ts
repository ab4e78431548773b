// Applies one operation of a transaction to its draft. Throws an OperationFailure or a ContractFailure; the caller then discards the
// draft. Returns the description of the operation for the ledger's answers.

import type { xdr } from '@stellar/stellar-sdk';
import { formatAmount, INT64_MAX } from './amounts.ts';
import { type AssetName, assetFields, isIssuer, NATIVE, partsOf, readAsset } from './assets.ts';
import { manageData } from './data-entries.ts';
import { ACCOUNT_RESERVES, type Draft, type Move, subentriesOf } from './draft.ts';
import { readAccount } from './envelope.ts';
import { OperationFailure } from './failures.ts';
import { invokeContract, type Machine } from './invoke.ts';
import { beginSponsoring, endSponsoring, lockReserves, unlockReserves } from './sponsorship.ts';
import type { Account } from './store.ts';

export type Step = { operation: xdr.Operation; source: string; draft: Draft; machine: Machine };

export function applyOperation({ operation: { body }, source, draft, machine }: Step): Move[] {
  if (draft.account(source) === undefined) throw new OperationFailure('op_no_source_account');
  const { alter } = machine;
  switch (body.type) {
    case 'createAccount': {
      const { destination, startingBalance } = body.createAccountOp;
      return createAccount({ draft, source, to: readAccount(destination), amount: startingBalance, machine });
    }
    case 'payment': {
      const { destination, asset, amount } = body.paymentOp;
      return pay(draft, {
        asset: readAsset(asset)!,
        from: source,
        to: readAccount(destination),
        amount: alter(amount),
      });
    }
    case 'pathPaymentStrictReceive': {
      const { sendAsset, sendMax, destination, destAsset, destAmount } = body.pathPaymentStrictReceiveOp;
      const asset = sameAsset(sendAsset, destAsset);
      if (sendMax < destAmount) throw new OperationFailure('op_over_source_max');
      return pay(draft, { asset, from: source, to: readAccount(destination), amount: alter(destAmount) });
    }
    case 'pathPaymentStrictSend': {
      const { sendAsset, sendAmount, destination, destAsset, destMin } = body.pathPaymentStrictSendOp;
      const asset = sameAsset(sendAsset, destAsset);
      if (sendAmount < destMin) throw new OperationFailure('op_under_dest_min');
      return pay(draft, { asset, from: source, to: readAccount(destination), amount: alter(sendAmount) });
    }
    case 'changeTrust': {
      const { line, limit } = body.changeTrustOp;
      changeTrust({ draft, source, asset: readAsset(line), limit });
      return [];
    }
    case 'clawback': {
      const { asset, from, amount } = body.clawbackOp;
      return clawBack({ draft, source, asset: readAsset(asset)!, from: readAccount(from), amount });
    }
    case 'accountMerge':
      return mergeAccount({ draft, source, destination: body.destination });
    case 'beginSponsoringFutureReserves': {
      const sponsored = readAccount(body.beginSponsoringFutureReservesOp.sponsoredId);
      beginSponsoring(draft, { source, sponsored });
      return [];
    }
    case 'endSponsoringFutureReserves':
      endSponsoring(draft, source);
      return [];
    case 'manageData':
      // A data entry is not sponsored here.
      if (draft.sponsors.has(source)) throw new OperationFailure('op_not_supported');
      manageData(draft.account(source)!, body.manageDataOp);
      return [];
    case 'invokeHostFunction':
      return invokeContract({ operation: body.invokeHostFunctionOp, source, draft, machine });
    default:
      throw new OperationFailure('op_not_supported');
  }
}

function pay(draft: Draft, move: Move): Move[] {
  if (move.amount <= 0n || move.amount > INT64_MAX) throw new OperationFailure('op_malformed');
  const problem = draft.move(move);
  if (problem !== null) throw new OperationFailure(`op_${problem}`);
  return [move];
}

type Creation = { draft: Draft; source: string; to: string; amount: bigint; machine: Machine };

function createAccount({ draft, source, to, amount, machine }: Creation): Move[] {
  if (draft.account(to) !== undefined) throw new OperationFailure('op_already_exists');
  const { ledger, at } = machine;
  const account: Account = {
    address: to,
    // A re-created account must never accept an envelope of the former account.
    sequence: BigInt(ledger) << 32n,
    native: amount,
    lines: {},
    ledger,
    changedAt: at,
  };
  const sponsor = lockReserves(draft, { account, count: ACCOUNT_RESERVES });
  draft.add({ ...account, native: 0n, ...(sponsor === undefined ? {} : { sponsor }) });
  // Only an account whose reserve is sponsored may begin with nothing.
  if (amount === 0n) return [];
  return pay(draft, { asset: NATIVE, from: source, to, amount });
}

// The whole native balance moves and the account is gone. The network lists a merge among the payments without an amount; the amount is
// in the effects of the operation and in the result of the transaction.
type Merge = { draft: Draft; source: string; destination: xdr.MuxedAccount };

function mergeAccount({ draft, source, destination }: Merge): Move[] {
  const to = readAccount(destination);
  if (to === source) throw new OperationFailure('op_malformed');
  const receiver = draft.account(to);
  if (receiver === undefined) throw new OperationFailure('op_no_account');
  const merged = draft.account(source)!;
  if (subentriesOf(merged) > 0) throw new OperationFailure('op_has_sub_entries');
  if ((merged.sponsoring ?? 0) > 0) throw new OperationFailure('op_is_sponsor');
  unlockReserves(draft, { sponsor: merged.sponsor, count: ACCOUNT_RESERVES });
  const amount = merged.native;
  receiver.native += amount;
  draft.remove(source);
  return [{ asset: NATIVE, from: source, to, amount }];
}

// Every trustline of the simulator allows its issuer to take money back. The network does not list it among the payments.
type Clawback = { draft: Draft; source: string; asset: AssetName; from: string; amount: bigint };

function clawBack({ draft, source, asset, from, amount }: Clawback): Move[] {
  if (!isIssuer(source, asset) || from === source) throw new OperationFailure('op_malformed');
  return pay(draft, { asset, from, to: source, amount });
}

type Trust = { draft: Draft; source: string; asset: AssetName | null; limit: bigint };

function changeTrust({ draft, source, asset, limit }: Trust): void {
  if (asset === null || asset === NATIVE || limit < 0n) throw new OperationFailure('op_malformed');
  if (isIssuer(source, asset)) throw new OperationFailure('op_self_not_allowed');
  const account = draft.account(source)!;
  const line = account.lines[asset];
  if (limit === 0n) {
    if (line === undefined) throw new OperationFailure('op_trust_line_missing');
    if (line.balance > 0n) throw new OperationFailure('op_invalid_limit');
    delete account.lines[asset];
    unlockReserves(draft, { sponsor: line.sponsor, count: 1 });
    return;
  }
  if (line !== undefined) {
    if (limit < line.balance) throw new OperationFailure('op_invalid_limit');
    line.limit = limit;
    return;
  }
  if (draft.account(partsOf(asset).issuer) === undefined) throw new OperationFailure('op_no_issuer');
  account.lines[asset] = { balance: 0n, limit };
  const sponsor = lockReserves(draft, { account, count: 1 });
  if (sponsor !== undefined) account.lines[asset] = { balance: 0n, limit, sponsor };
}

// There is no market here: the sent amount is the received amount.
function sameAsset(send: xdr.Asset, arrive: xdr.Asset): AssetName {
  const asset = readAsset(send)!;
  if (asset !== readAsset(arrive)) throw new OperationFailure('op_too_few_offers');
  return asset;
}

export const balanceChange = ({ asset, from, to, amount }: Move): Record<string, string> => ({
  ...assetFields(asset),
  type: 'transfer',
  from,
  to,
  amount: formatAmount(amount),
});
