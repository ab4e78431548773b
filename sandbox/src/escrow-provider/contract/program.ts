// The escrow contract: its functions with their arguments in order, which call the rules and move the money that they allow.

import { scValToNative, type xdr } from '@stellar/stellar-sdk';
import { ContractFailure } from '../../ledger-network/failures.ts';
import type { Host, Program } from '../../ledger-network/invoke.ts';
import { refusal } from './errors.ts';
import type { Distribution, Escrow, MultiEscrow, SingleEscrow } from './escrow.ts';
import { splitDistributions, splitRelease } from './fees.ts';
import { dispute, disputeMilestone, resolve, resolveMilestone, withdrawRemaining } from './rules-dispute.ts';
import { checkFunding, checkUpdate } from './rules-setup.ts';
import { approve, changeStatus, release, releaseMilestone } from './rules-work.ts';
import { readDistributions, readEscrow } from './values.ts';

export type Terms = { protocolFeeBps: number; protocolFees: string };

type Context<E extends Escrow> = {
  escrow: E;
  host: Host;
  args: xdr.ScVal[];
  balance: bigint;
  terms: Terms;
  keep(escrow: Escrow): void;
};
type Functions<E extends Escrow> = Record<string, (context: Context<E>) => void>;

// biome-ignore lint/suspicious/noExplicitAny: the ledger's values are read by position and checked by the rules.
const native = (args: xdr.ScVal[]): any[] => args.map((argument) => scValToNative(argument));

const COMMON: Functions<Escrow> = {
  fund_escrow({ escrow, host, args }) {
    const [signer, , amount] = native(args);
    const expected = readEscrow(args[1]!, escrow.type);
    checkFunding(escrow, { expected, amount, available: host.balance(escrow.token, signer) });
    host.requireAuth(signer);
    host.transfer({ token: escrow.token, from: signer, to: host.self, amount });
  },
  change_milestone_status({ escrow, host, args }) {
    const [index, status, evidence, by] = native(args);
    changeStatus(escrow, { index, status, evidence: evidence ?? null, by });
    host.requireAuth(by);
  },
  approve_milestone({ escrow, host, args }) {
    const [index, by] = native(args);
    approve(escrow, { index, by });
    host.requireAuth(by);
  },
  update_escrow({ escrow, host, args, balance, keep }) {
    const [by] = native(args.slice(0, 1));
    const next = readEscrow(args[1]!, escrow.type);
    checkUpdate(escrow, { next, by, balance });
    host.requireAuth(by);
    keep(next);
  },
};

const SINGLE: Functions<SingleEscrow> = {
  release_funds(context) {
    const { escrow, host, args, balance } = context;
    const [by] = native(args);
    release(escrow, { by, balance });
    host.requireAuth(by);
    payReceiver(context, { address: escrow.roles.receiver, amount: escrow.amount });
  },
  dispute_escrow({ escrow, host, args }) {
    const [by] = native(args);
    dispute(escrow, by);
    host.requireAuth(by);
  },
  resolve_dispute(context) {
    const { escrow, host, args, balance } = context;
    const [by] = native(args.slice(0, 1));
    const parts = readDistributions(args[1]!);
    resolve(escrow, { by, parts, balance });
    host.requireAuth(by);
    payParts(context, parts);
  },
};

const MULTI: Functions<MultiEscrow> = {
  release_milestone_funds(context) {
    const { escrow, host, args, balance } = context;
    const [by, index] = native(args);
    const { receiver, amount } = releaseMilestone(escrow, { index: BigInt(index), by, balance });
    host.requireAuth(by);
    payReceiver(context, { address: receiver, amount });
  },
  dispute_milestone({ escrow, host, args }) {
    const [index, by] = native(args);
    disputeMilestone(escrow, { index, by });
    host.requireAuth(by);
  },
  resolve_milestone_dispute(context) {
    const { escrow, host, args, balance } = context;
    const [by, index] = native(args.slice(0, 2));
    const parts = readDistributions(args[2]!);
    resolveMilestone(escrow, { index: BigInt(index), by, parts, balance });
    host.requireAuth(by);
    payParts(context, parts);
  },
  withdraw_remaining_funds(context) {
    const { escrow, host, args, balance } = context;
    const [by] = native(args.slice(0, 1));
    const parts = readDistributions(args[1]!);
    withdrawRemaining(escrow, { by, parts, balance });
    host.requireAuth(by);
    payParts(context, parts);
  },
};

export const escrowProgram =
  (terms: Terms): Program =>
  (host, { fn, args }) => {
    const contract = host.draft.contract(host.self)!;
    const escrow = contract.data as Escrow | null;
    if (escrow === null) throw refusal('NotFound');
    const own = (escrow.type === 'single-release' ? SINGLE : MULTI) as Functions<Escrow>;
    const run = Object.hasOwn(own, fn) ? own[fn] : Object.hasOwn(COMMON, fn) ? COMMON[fn] : undefined;
    if (run === undefined) throw new ContractFailure(`The ${escrow.type} escrow contract has no function ${fn}.`);
    const balance = host.balance(escrow.token, host.self);
    // The draft is discarded when a rule refuses, so the rules may change the escrow in place.
    const keep = (next: Escrow) => {
      contract.data = next;
    };
    run({ escrow, host, args, balance, terms, keep });
  };

type Payer = Pick<Context<Escrow>, 'escrow' | 'host' | 'terms'>;

function payReceiver(payer: Payer, { address, amount }: Distribution): void {
  const { protocol, platform, receiver } = splitRelease(amount, feesOf(payer));
  payOut(payer, { protocol, platform, recipients: [{ address, amount: receiver }] });
}

function payParts(payer: Payer, parts: Distribution[]): void {
  payOut(payer, splitDistributions(parts, feesOf(payer)));
}

const feesOf = ({ escrow, terms }: Payer) => ({
  protocolFeeBps: terms.protocolFeeBps,
  platformFeeBps: escrow.platformFeeBps,
});

function payOut({ escrow, host, terms }: Payer, payout: ReturnType<typeof splitDistributions>): void {
  const payments = [
    { address: terms.protocolFees, amount: payout.protocol },
    { address: escrow.roles.platformAddress, amount: payout.platform },
    ...payout.recipients,
  ];
  for (const { address, amount } of payments) {
    if (amount > 0n) host.transfer({ token: escrow.token, from: host.self, to: address, amount });
  }
}
