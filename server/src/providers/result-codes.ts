// The ledger's result codes, wherever a provider mentions one: `tx_bad_seq`, `op_underfunded`, also written `txBadSeq`.

import { snakeCase } from '../base/snake-case.ts';

const CODE = /\b(?:tx|op)_[a-z_]+\b|\bfunction_trapped\b|\b(?:tx|op)[A-Z][A-Za-z]+\b/g;

/** In the order in which they are mentioned, written with underscores. */
export const findResultCodes = (text: string): string[] =>
  [...text.matchAll(CODE)].map(([code]) => snakeCase(code)).filter((code) => code !== 'op_success');

/** The envelope came too late, by its sequence number or its time. That is also how one that was included before looks. */
export const isStale = (code: string): boolean => code === 'tx_bad_seq' || code === 'tx_too_late';

/** The network's own trouble: the envelope may still be included. */
export const isTrouble = (code: string): boolean => code === 'tx_internal_error' || code === 'tx_pending';
