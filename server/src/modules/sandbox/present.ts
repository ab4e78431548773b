// The state of the sandbox as the API shows it: only records of the caller's marketplace, the newest of each kind, with the names of this
// API.

import {
  SANDBOX_SHOWN_MAX,
  type SandboxFault,
  type SandboxPayin,
  type SandboxPayout,
  type SandboxState,
} from '@holdfast/contract/api/sandbox.ts';
import type { Static } from 'typebox';
import { formatAmount, parseAmount, ZERO } from '../../books/money.ts';
import type { OwnRecords } from './queries.ts';

type Payment = {
  readonly id: string;
  readonly code: string | null;
  readonly status: string;
  readonly amount: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type Balances = Readonly<Record<string, string>>;

/** The part of the simulators' state that is shown, as the control interface returns it. */
export type ControlState = {
  readonly time: string;
  readonly faults: readonly Static<typeof SandboxFault>[];
  readonly payins: readonly Payment[];
  readonly payouts: readonly Payment[];
  readonly accounts: readonly { readonly address: string; readonly balances: Balances }[];
  readonly contracts: readonly {
    readonly contractId: string;
    readonly engagementId: string;
    readonly amount: number;
    readonly balances: Balances;
  }[];
  readonly webhooks: readonly {
    readonly id: string;
    readonly type: string;
    readonly code: string | null;
    readonly status: string;
    readonly fault: string | null;
    readonly attempts: readonly unknown[];
  }[];
};

const ZERO_BALANCE = '0.0000000';

/** The simulators use JSON numbers for amounts, in whole cents. */
const presentNumber = (amount: number): string => formatAmount(parseAmount(String(amount)) ?? ZERO);

const presentPayment = ({ id, status, amount, createdAt, updatedAt }: Payment) => ({
  id,
  status,
  amount: presentNumber(amount),
  createdAt,
  updatedAt,
});

export const presentPayin = (payin: Payment): Static<typeof SandboxPayin> => ({
  ...presentPayment(payin),
  topupId: payin.code ?? '',
});

export const presentPayout = (payout: Payment): Static<typeof SandboxPayout> => ({
  ...presentPayment(payout),
  withdrawalId: payout.code ?? '',
});

const presentBalances = (balances: Balances) => ({
  USDC: Object.entries(balances).find(([asset]) => asset.startsWith('USDC'))?.[1] ?? ZERO_BALANCE,
  XLM: balances.native ?? ZERO_BALANCE,
});

/** The simulators return the oldest first. */
const newest = <T>(items: readonly T[]): T[] => items.slice(-SANDBOX_SHOWN_MAX).reverse();

export const codesOf = (payments: readonly { readonly code: string | null }[]): string[] =>
  payments.flatMap(({ code }) => (code === null ? [] : [code]));

export const presentSandbox = (state: ControlState, own: OwnRecords): Static<typeof SandboxState> => {
  const { topups, withdrawals, orders, wallets } = own;
  const isOwn = ({ code }: { readonly code: string | null }): boolean =>
    code !== null && (topups.has(code) || withdrawals.has(code));
  return {
    time: state.time,
    faults: [...state.faults],
    payins: newest(state.payins.filter(isOwn)).map(presentPayin),
    payouts: newest(state.payouts.filter(isOwn)).map(presentPayout),
    accounts: newest(state.accounts.filter(({ address }) => wallets.has(address))).map(({ address, balances }) => ({
      ...wallets.get(address)!,
      balances: presentBalances(balances),
    })),
    contracts: newest(state.contracts.filter(({ engagementId }) => orders.has(engagementId))).map((contract) => ({
      contractId: contract.contractId,
      orderId: contract.engagementId,
      amount: presentNumber(contract.amount),
      balances: presentBalances(contract.balances),
    })),
    webhooks: newest(state.webhooks.filter(isOwn)).map(({ id, type, code, status, fault, attempts }) => ({
      id,
      type,
      about: code ?? '',
      status,
      fault,
      attempts: attempts.length,
    })),
  };
};
