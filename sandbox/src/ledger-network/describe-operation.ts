// The description of an operation in the ledger's answers, by its type, and the accounts whose pages list it.

import { Address, xdr } from '@stellar/stellar-sdk';
import { formatAmount } from './amounts.ts';
import { balanceChange } from './apply-operation.ts';
import { assetFields, readAsset } from './assets.ts';
import { dataFields } from './data-entries.ts';
import type { Move } from './draft.ts';
import { muxedFields, readAccount } from './envelope.ts';

export type Description = {
  type: string;
  typeNumber: number;
  payment: boolean;
  participants: string[];
  detail: Record<string, unknown>;
};

// `sponsor`: of an operation that ends a sponsorship.
type Done = { operation: xdr.Operation; source: string; moves: Move[]; sponsor?: string };

export function describeOperation({ operation: { body }, source, moves, sponsor = '' }: Done): Description {
  switch (body.type) {
    case 'createAccount': {
      const account = readAccount(body.createAccountOp.destination);
      const starting_balance = formatAmount(body.createAccountOp.startingBalance);
      return about(['create_account', 0], [source, account], { starting_balance, funder: source, account });
    }
    case 'payment': {
      const { destination, asset, amount } = body.paymentOp;
      const to = readAccount(destination);
      const paid = formatAmount(moves[0]?.amount ?? amount);
      const parties = { from: source, to, ...muxedFields('to', destination) };
      return about(['payment', 1], [source, to], { ...assetFields(readAsset(asset)!), ...parties, amount: paid });
    }
    case 'pathPaymentStrictReceive': {
      const { sendAsset, sendMax, destination, destAsset, destAmount } = body.pathPaymentStrictReceiveOp;
      const to = readAccount(destination);
      const amount = formatAmount(moves[0]?.amount ?? destAmount);
      return about(['path_payment_strict_receive', 2], [source, to], {
        ...assetFields(readAsset(destAsset)!),
        ...assetFields(readAsset(sendAsset)!, 'source_'),
        from: source,
        to,
        ...muxedFields('to', destination),
        amount,
        source_amount: amount,
        source_max: formatAmount(sendMax),
        path: [],
      });
    }
    case 'pathPaymentStrictSend': {
      const { sendAsset, sendAmount, destination, destAsset, destMin } = body.pathPaymentStrictSendOp;
      const to = readAccount(destination);
      const amount = formatAmount(moves[0]?.amount ?? sendAmount);
      return about(['path_payment_strict_send', 13], [source, to], {
        ...assetFields(readAsset(destAsset)!),
        ...assetFields(readAsset(sendAsset)!, 'source_'),
        from: source,
        to,
        ...muxedFields('to', destination),
        amount,
        source_amount: amount,
        destination_min: formatAmount(destMin),
        path: [],
      });
    }
    case 'changeTrust': {
      const { line, limit } = body.changeTrustOp;
      const asset = assetFields(readAsset(line) ?? 'native');
      const detail = { ...asset, limit: formatAmount(limit), trustor: source, trustee: asset.asset_issuer };
      return { ...about(['change_trust', 6], [source], detail), payment: false };
    }
    case 'clawback': {
      const { asset, from: holder, amount } = body.clawbackOp;
      const from = readAccount(holder);
      const detail = { ...assetFields(readAsset(asset)!), from, amount: formatAmount(amount) };
      return { ...about(['clawback', 19], [source, from], detail), payment: false };
    }
    case 'accountMerge': {
      const into = readAccount(body.destination);
      return about(['account_merge', 8], [source, into], { account: source, into });
    }
    case 'beginSponsoringFutureReserves': {
      const sponsored_id = readAccount(body.beginSponsoringFutureReservesOp.sponsoredId);
      const described = about(['begin_sponsoring_future_reserves', 16], [source, sponsored_id], { sponsored_id });
      return { ...described, payment: false };
    }
    case 'endSponsoringFutureReserves': {
      const described = about(['end_sponsoring_future_reserves', 17], [source], { begin_sponsor: sponsor });
      return { ...described, payment: false };
    }
    case 'manageData':
      return { ...about(['manage_data', 10], [source], dataFields(body.manageDataOp)), payment: false };
    case 'invokeHostFunction':
      return invocation(body.invokeHostFunctionOp, { source, moves });
    default:
      return { type: snake(body.type), typeNumber: -1, payment: false, participants: [source], detail: {} };
  }
}

function about([type, typeNumber]: [string, number], participants: string[], detail: Record<string, unknown>) {
  return { type, typeNumber, payment: true, participants: [...new Set(participants)], detail };
}

// A call is on the payment pages of the accounts between which its asset contracts moved money.
function invocation(op: xdr.InvokeHostFunctionOp, { source, moves }: { source: string; moves: Move[] }): Description {
  const { hostFunction } = op;
  const parameters =
    hostFunction.type === 'hostFunctionTypeInvokeContract' ? callValues(hostFunction.invokeContract) : [];
  const holders = moves.flatMap(({ from, to }) => [from, to]).filter((address) => address.startsWith('G'));
  const detail = {
    function: 'HostFunctionTypeHostFunctionTypeInvokeContract',
    parameters: parameters.map((value) => ({ value: value.toXdr('base64'), type: value.type.slice('scv'.length) })),
    address: '',
    salt: '',
    asset_balance_changes: moves.map(balanceChange),
  };
  return { ...about(['invoke_host_function', 24], [source, ...holders], detail), payment: moves.length > 0 };
}

const callValues = ({ contractAddress, functionName, args }: xdr.InvokeContractArgs): xdr.ScVal[] => [
  Address.fromScAddress(contractAddress).toScVal(),
  xdr.ScVal.scvSymbol(functionName),
  ...args,
];

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
