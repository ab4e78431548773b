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
};

export const orderOptions = (command: Command): Command =>
  command
    .option('--amount <amount>', 'amount of the order; the sum of the milestones when left out')
    .option('--currency <code>', 'currency; the base currency when left out')
    .option('--title <text>', 'title of the order and of its escrow')
    .option('--ref <reference>', 'your reference; unique')
    .option('--milestone <ref:amount:title>', 'a milestone; may be repeated', gather);

type Milestones = NonNullable<CreateOrderInput['milestones']>;

const milestonesOf = (texts: readonly string[]): Milestones =>
  texts.map((text) => {
    const [, ref, amount, title] = /^([^:]+):(\d+(?:\.\d{1,2})?):(.+)$/.exec(text) ?? [];
    if (!ref || !amount || !title) {
      throw wrongUsage(`"${text}" is not a valid milestone. Write it like "draft:40.00:The first draft".`);
    }
    return { ref, amount, title };
  });

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

export const agreementOf = ({ amount, currency, title, ref, milestone = [] }: OrderOptions): Agreement => {
  const milestones = milestonesOf(milestone);
  return {
    amount: amountWith(amount, milestones),
    currency,
    title,
    clientOrderRef: ref,
    ...(milestones.length > 0 ? { milestones } : {}),
  };
};
