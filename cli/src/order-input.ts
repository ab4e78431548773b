// What an order is made of, as it is written on the command line. Milestones are `ref:amount:title`.

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
};

export const orderOptions = (command: Command): Command =>
  command
    .option('--amount <amount>', 'what the buyer pays; the sum of the milestones when left out')
    .option('--currency <code>', 'the base currency when left out')
    .option('--title <text>', 'title of the escrow too')
    .option('--ref <reference>', 'your reference; unique')
    .option('--milestone <ref:amount:title>', 'may be repeated', gather);

type Milestones = NonNullable<CreateOrderInput['milestones']>;

const milestonesOf = (texts: readonly string[]): Milestones =>
  texts.map((text) => {
    const [, ref, amount, title] = /^([^:]+):(\d+(?:\.\d{1,2})?):(.+)$/.exec(text) ?? [];
    if (!ref || !amount || !title) {
      throw wrongUsage(`"${text}" is no milestone. Write it like "draft:40.00:The first draft".`);
    }
    return { ref, amount, title };
  });

const amountWith = (amount: string | undefined, milestones: Milestones): string => {
  if (amount === undefined && milestones.length === 0) {
    throw wrongUsage('Say how much with --amount, or with milestones.');
  }
  const sum = sumOf(milestones.map((each) => each.amount));
  if (amount === undefined) return sum;
  if (milestones.length > 0 && unitsOf(checkedAmount(amount)) !== unitsOf(sum)) {
    throw wrongUsage(`The milestones are ${sum} together, and --amount is ${amount}. Leave --amount out.`);
  }
  return checkedAmount(amount);
};

export type Agreement = Omit<CreateOrderInput, 'buyerId' | 'sellerId'>;

export const agreementOf = ({ amount, currency, title, ref, milestone = [] }: OrderOptions): Agreement => {
  const milestones = milestonesOf(milestone);
  return {
    ...{ amount: amountWith(amount, milestones), currency, title, clientOrderRef: ref },
    ...(milestones.length > 0 ? { milestones } : {}),
  };
};
