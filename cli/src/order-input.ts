// The options that describe an order on the command line. A milestone is `ref:amount:title`.

import type { CreateOrderInput, CurrencyCode } from '@holdfast/sdk';
import type { Command } from 'commander';
import { gather } from './define.ts';
import { wrongUsage } from './failures.ts';
import { checkedAmount, sumOf, unitsOf } from './money.ts';

export type OrderOptions = {
  readonly amount?: string;
  readonly currency?: CurrencyCode;
  readonly title?: string;
  readonly ref?: string;
  readonly milestone?: readonly string[];
  readonly policy?: string;
  readonly platformFee?: string;
};

export const orderOptions = (command: Command): Command =>
  command
    .option('--amount <amount>', 'amount of the order; the sum of the milestones when left out')
    .option('--currency <code>', 'currency; the base currency when left out')
    .option('--title <text>', 'title of the order and of its escrow')
    .option('--ref <reference>', 'your reference; unique')
    .option('--milestone <ref:amount:title>', 'a milestone; may be repeated', gather)
    .option('--policy <name>', 'policy of the order: its name, or the id of a version')
    .option('--platform-fee <percent>', "percent of the seller's part that the platform keeps");

type Milestones = NonNullable<CreateOrderInput['milestones']>;

const milestonesOf = (texts: readonly string[]): Milestones => {
  const milestones = texts.map((text) => {
    const [, ref, amount, title] = /^([^:]+):(\d+(?:\.\d{1,2})?):(.+)$/.exec(text) ?? [];
    if (!ref || !amount || !title) {
      throw wrongUsage(`"${text}" is not a valid milestone. Write it like "draft:40.00:The first draft".`);
    }
    return { ref, amount, title };
  });
  const refs = milestones.map(({ ref }) => ref);
  const repeated = refs.find((ref, place) => refs.indexOf(ref) < place);
  if (repeated !== undefined) throw wrongUsage(`Two milestones are called "${repeated}". Give each one its own ref.`);
  return milestones;
};

const amountWith = (amount: string | undefined, milestones: Milestones): string => {
  if (amount === undefined && milestones.length === 0) {
    throw wrongUsage('Set the amount with --amount, or with milestones.');
  }
  const sum = sumOf(milestones.map((each) => each.amount));
  if (amount === undefined) return sum;
  if (milestones.length > 0 && unitsOf(checkedAmount(amount)) !== unitsOf(sum)) {
    throw wrongUsage(`The milestones add up to ${sum}, but --amount is ${amount}. Leave --amount out.`);
  }
  return checkedAmount(amount);
};

export type Agreement = Omit<CreateOrderInput, 'buyerId' | 'sellerId'>;

const feeOf = (percent: string | undefined): Pick<Agreement, 'metadata'> => {
  if (percent === undefined) return {};
  if (/^\d{1,2}(\.\d{1,2})?$/.test(percent)) return { metadata: { platformFee: percent } };
  throw wrongUsage(
    `"${percent}" is not a valid fee. Write a percentage from 0 to 99 with at most two places, like 2.5.`,
  );
};

export const agreementOf = (options: OrderOptions): Agreement => {
  const { amount, currency, title, ref, milestone = [], policy, platformFee } = options;
  const milestones = milestonesOf(milestone);
  return {
    amount: amountWith(amount, milestones),
    currency,
    title,
    clientOrderRef: ref,
    policy,
    ...feeOf(platformFee),
    ...(milestones.length > 0 ? { milestones } : {}),
  };
};
