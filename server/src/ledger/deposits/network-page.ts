// Examines a page of the payments of the whole network: what it brought to our wallets, seen twice. Records the deposits of each wallet.

import { type Answer, yes } from '../../base/answer.ts';
import { ZERO } from '../../books/money.ts';
import { runCommand, type Submit } from '../../commit/command.ts';
import type { LedgerNetwork, NetworkPage } from '../../providers/ports.ts';
import {
  type Arrival,
  type ArrivalOptions,
  arrivalsIn,
  type Deposited,
  type Sorted,
  sortArrivals,
  type Uncredited,
} from './arrivals.ts';
import { type ConfirmingNetwork, findDisputed } from './confirm-arrivals.ts';
import type { DepositReads, FollowedWallet } from './queries.ts';
import { contextOf, recordDeposit } from './record-deposit.ts';

export type ExamineOptions = Omit<ArrivalOptions, 'network'> & {
  readonly network: Pick<LedgerNetwork, 'networkPayments' | 'mergedAmount'> & ConfirmingNetwork;
  readonly reads: Pick<DepositReads, 'atAddresses'>;
  readonly submit: Submit;
  onTrouble(message: string, error: unknown): void;
};

const DISPUTED = 'Two answers of the ledger describe the payment in different ways.';
const UNREADABLE = 'The ledger describes the payment in a form that cannot be read.';

/** Senders too: what leaves a wallet is compared with the books as well. */
const addressesOf = ({ payments, merges, unread }: NetworkPage): string[] => [
  ...new Set([
    ...payments.flatMap(({ from, to }) => [from, to].filter((address) => address?.startsWith('G')) as string[]),
    ...merges.flatMap(({ from, to }) => [from, to]),
    ...unread.flatMap(({ addresses }) => addresses),
  ]),
];

/** Looked up after the page was read: a wallet is in the database before anyone can pay to it. */
const walletsIn = async ({ reads }: ExamineOptions, page: NetworkPage) => {
  const wallets = await reads.atAddresses(addressesOf(page));
  const byAddress = new Map(wallets.map((wallet) => [wallet.address, wallet]));
  return { wallets, walletAt: (address: string): FollowedWallet | undefined => byAddress.get(address) };
};

type Query = { readonly cursor: string; readonly limit?: number };

const unreadOf = ({ unread }: NetworkPage, walletAt: (address: string) => FollowedWallet | undefined): Uncredited[] =>
  unread.flatMap(({ id, addresses }) => {
    const wallet = addresses.map(walletAt).find((one) => one !== undefined);
    if (wallet === undefined) return [];
    return [{ marketplaceId: wallet.marketplaceId, id, amount: ZERO, reason: UNREADABLE }];
  });

const disputeOf = ({ wallet: { marketplaceId }, id, amount }: Arrival): Uncredited => ({
  marketplaceId,
  id,
  amount: amount ?? ZERO,
  reason: DISPUTED,
});

type Examined = Pick<Sorted, 'deposits' | 'uncredited'> & {
  readonly page: NetworkPage;
  /** Ours that the page names. */
  readonly wallets: readonly FollowedWallet[];
  /** What a second read did not show in the same way. */
  readonly disputed: readonly Uncredited[];
};

/** What a page brought to our wallets. Deposits and what cannot be credited were seen twice. */
export const examine = async (options: ExamineOptions, query: Query): Promise<Answer<Examined>> => {
  const page = await options.network.networkPayments(query);
  if (page.kind !== 'yes') return page;
  const { wallets, walletAt } = await walletsIn(options, page.value);
  const arrivals = await arrivalsIn(options, { page: page.value, walletAt });
  if (arrivals.kind !== 'yes') return arrivals;
  const { deposits, uncredited, foreign } = await sortArrivals(options, arrivals.value);
  const found = await findDisputed(options.network, foreign);
  if (found.kind !== 'yes') return found;
  const disputed = new Set(found.value.map(({ id }) => id));
  return yes({
    deposits: deposits.filter(({ payment }) => !disputed.has(payment.id)),
    uncredited: [...uncredited.filter(({ id }) => !disputed.has(id)), ...unreadOf(page.value, walletAt)],
    disputed: found.value.map(disputeOf),
    page: page.value,
    wallets,
  });
};

/** Records the deposits of each wallet. Returns those that could not be recorded. */
export const recordAll = async ({ submit, onTrouble }: ExamineOptions, deposits: readonly Deposited[]) => {
  const groups = [...Map.groupBy(deposits, ({ wallet }) => wallet.id).values()];
  const failed: Deposited[] = [];
  let recorded = 0;
  const recordOne = async (group: readonly Deposited[]): Promise<void> => {
    const { wallet } = group[0]!;
    const input = { wallet, read: null, payments: group.map(({ payment }) => payment) };
    try {
      const reply = await runCommand(submit, { command: recordDeposit, input, context: contextOf(wallet) });
      recorded += reply.recorded;
    } catch (error) {
      failed.push(...group);
      onTrouble('the deposits of a wallet could not be recorded; they will be retried', error);
    }
  };
  await Promise.all(groups.map(recordOne));
  return { recorded, failed };
};
