// Whether an account on the ledger can receive a withdrawal. It is checked before money is reserved and again before it is sent: in
// between the account may change. An unreachable ledger says nothing about the account.

import type { Currency } from '@holdfast/contract/currencies.ts';
import { type Answer, no, unknown, yes } from '../../base/answer.ts';
import { accountOf, isMuxed } from '../../base/ledger-address.ts';
import { type Amount, plus } from '../../books/money.ts';
import { assetOf } from '../../ledger/keys/wallet.ts';
import type { LedgerAccount, LedgerAsset, LedgerNetwork } from '../../providers/ports.ts';

type Payment = {
  /** G… or muxed M…. */
  readonly address: string;
  readonly memo: string | null;
  readonly currency: Currency;
  readonly amount: Amount;
};

type Options = {
  readonly network: Pick<LedgerNetwork, 'account'>;
  /** The asset that backs our dollars on the ledger. */
  readonly usdc: LedgerAsset;
};

/** Yes: the account can receive the payment. No: it cannot, with the reason. Unknown: the ledger did not answer. */
export type CheckReceiver = (payment: Payment) => Promise<Answer<null>>;

const lineProblem = (
  account: LedgerAccount,
  { usdc, amount }: { usdc: LedgerAsset; amount: Amount },
): string | null => {
  // The issuer takes its own asset back without a trustline.
  if (account.address === usdc.issuer) return null;
  const line = account.balances.find(({ asset }) => asset.code === usdc.code && asset.issuer === usdc.issuer);
  if (!line) return 'the account does not trust the asset.';
  if (!line.isAuthorized) return 'the issuer has not authorised the account to hold the asset.';
  if (line.limit !== null && plus(line.amount, amount) > line.limit) {
    return 'the account would hold more of the asset than it allows.';
  }
  return null;
};

export const createReceiverCheck =
  ({ network, usdc }: Options): CheckReceiver =>
  async ({ address, memo, currency, amount }) => {
    const found = await network.account(accountOf(address) ?? address);
    if (found.kind !== 'yes') return unknown(found.reason, { code: 'unclear' });
    const account = found.value;
    if (account === null) return no('there is no such account on the ledger.');
    // A muxed address names the receiver itself, so no memo is demanded of it.
    if (account.requiresMemo && memo === null && !isMuxed(address)) {
      return no('the account demands a memo: set destination.memo and destination.memoType.');
    }
    const problem = assetOf(currency) === 'XLM' ? null : lineProblem(account, { usdc, amount });
    return problem === null ? yes(null) : no(problem);
  };
