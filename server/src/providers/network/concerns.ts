// Whether a transaction concerns the claimed contract, asset and amount. The success of some transaction with that hash proves
// nothing, because anyone can name one.

import { type Answer, no, yes } from '../../base/answer.ts';
import { type Amount, plus, ZERO } from '../../books/money.ts';
import type { Concern, LedgerAsset } from '../ledger-port.ts';
import { type Fields, fieldsOf, findText, listOf } from '../reply-fields.ts';
import { library } from './library.ts';
import { readPayments } from './read-ledger.ts';

export function checkConcern(operations: readonly Fields[], { contract, asset, amount }: Concern): Answer<null> {
  const moves = operations.flatMap((operation) => readPayments(operation));
  const own = moves.filter(({ from, to }) => from === contract || to === contract);
  const isCalled = operations.some((operation) => calledContract(operation) === contract);
  if (own.length === 0 && !isCalled)
    return no('The transaction concerns another contract.', { code: 'other-contract' });
  const fitting = asset === undefined ? own : own.filter((move) => isSame(move.asset, asset));
  if (asset !== undefined && fitting.length === 0 && (own.length > 0 || amount !== undefined)) {
    return no('The transaction moves another asset.', { code: 'other-asset' });
  }
  if (amount === undefined) return yes(null);
  // A release pays several receivers, so all payments out of the contract are added up.
  const total = (side: 'from' | 'to') => fitting.filter((move) => move[side] === contract).reduce(add, ZERO);
  if (total('to') === amount || total('from') === amount) return yes(null);
  return no('The transaction moves another amount.', { code: 'other-amount' });
}

const add = (sum: Amount, move: { amount: Amount }): Amount => plus(sum, move.amount);

const isSame = (a: LedgerAsset, b: LedgerAsset): boolean =>
  a.issuer === b.issuer && (a.issuer === null || a.code === b.code);

/** The contract that an invocation calls: its first parameter. */
function calledContract(operation: Fields): string | null {
  if (findText(operation, 'type') !== 'invoke_host_function' || !Array.isArray(operation.parameters)) return null;
  const [first] = listOf(operation.parameters);
  try {
    const { Address, xdr } = library();
    return Address.fromScVal(xdr.ScVal.fromXdr(findText(fieldsOf(first), 'value') ?? '', 'base64')).toString();
  } catch {
    return null;
  }
}
