// The memo of a payment over the ledger: what each kind of memo may contain. Exchanges assign deposits by it, so a memo that the ledger
// would carry differently is refused.

import type { MemoType } from '@holdfast/contract/states.ts';
import { isMuxed } from '../../base/ledger-address.ts';

const TEXT_BYTES_MAX = 28;
const ID = /^(0|[1-9]\d{0,19})$/;
const ID_MAX = 2n ** 64n - 1n;
const HASH = /^[0-9a-f]{64}$/i;
const CONTROL = /\p{Cc}/u;

const isText = (memo: string): boolean =>
  memo.isWellFormed() && !CONTROL.test(memo) && Buffer.byteLength(memo) <= TEXT_BYTES_MAX;

const HASH_RULE = 'destination.memo must be 64 hexadecimal digits';

const RULES: Readonly<Record<MemoType, { readonly problem: string; fits(memo: string): boolean }>> = {
  text: {
    problem: `destination.memo must be a text of at most ${TEXT_BYTES_MAX} bytes without control characters`,
    fits: isText,
  },
  id: {
    problem: `destination.memo must be a whole number from 0 to ${ID_MAX}, without leading zeros`,
    fits: (memo) => ID.test(memo) && BigInt(memo) <= ID_MAX,
  },
  hash: { problem: HASH_RULE, fits: (memo) => HASH.test(memo) },
  return: { problem: HASH_RULE, fits: (memo) => HASH.test(memo) },
};

type Given = {
  readonly type: string;
  readonly ref?: string;
  readonly address?: string;
  readonly memo?: string;
  readonly memoType?: MemoType;
};

/** Why the memo of a destination cannot be used. */
export const memoProblems = ({ type, ref, address = ref, memo, memoType }: Given): string[] => {
  if (memo === undefined && memoType === undefined) return [];
  if (type !== 'crypto') return [`destination.memo does not belong to ${type}`];
  if (memo === undefined) return ['destination.memo is required with destination.memoType'];
  if (memoType === undefined) return ['destination.memoType is required with destination.memo'];
  if (address !== undefined && isMuxed(address)) {
    return ['destination.memo must be left out with a muxed address, which names the receiver itself'];
  }
  return RULES[memoType].fits(memo) ? [] : [RULES[memoType].problem];
};

/** The memo as it is stored. */
export const memoOf = ({ memo, memoType }: Given): { memo: string | null; memoType: MemoType | null } => {
  if (memo === undefined || memoType === undefined) return { memo: null, memoType: null };
  return { memo: memoType === 'hash' || memoType === 'return' ? memo.toLowerCase() : memo, memoType };
};
