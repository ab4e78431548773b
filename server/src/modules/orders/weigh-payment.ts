// What a request about an order would pay out of its escrow, from its preview. Rules of approvals compare this amount.

import type { Currency } from '@holdfast/contract/currencies.ts';
import type { ApprovalAction } from '@holdfast/contract/states.ts';
import { sumOf } from '../../books/money.ts';
import type { MoveName } from '../../books/moves.ts';
import type { PreviewChanges } from '../../commit/preview/preview.ts';
import type { Weighed } from '../../http/approval-terms.ts';

const PAYMENTS: readonly MoveName[] = ['pay_seller', 'platform_fee', 'refund_buyer'];

type Payment = {
  readonly action: ApprovalAction;
  readonly orderId: string;
  readonly userId: string;
  readonly currency: Currency;
  readonly changes: PreviewChanges;
};

/** With the platform's fee: all that leaves the escrow. */
export const weighPayment = ({ changes, ...of }: Payment): Weighed => {
  const paid = changes.postings.filter(({ move }) => (PAYMENTS as readonly string[]).includes(move));
  return { ...of, amount: sumOf(paid.map(({ amount }) => amount)) };
};
