// A top-up in replies, and the page and redirect for the payer's browser.

import type { TopUpStatus } from '@holdfast/contract/states.ts';
import { formatAmount } from '../../books/money.ts';
import type { TopUp } from './topup.ts';

export const presentTopUp = (topup: TopUp) => ({
  id: topup.id,
  userId: topup.userId,
  amount: formatAmount(topup.amount),
  currency: topup.currency,
  status: topup.status,
  description: topup.description,
  providerPayinId: topup.providerPayinId,
  confirmationUri: topup.confirmationUri,
  returnUrl: topup.returnUrl,
  cancelUrl: topup.cancelUrl,
  failureReason: topup.failureReason,
  errorCode: topup.errorCode,
  createdAt: topup.createdAt,
  updatedAt: topup.updatedAt,
});

const PAGE_TEXTS: Readonly<Record<TopUpStatus, string>> = {
  TOPUP_CREATED: 'Your payment is being prepared.',
  TOPUP_AWAITING_USER_CONFIRMATION: 'Your payment is waiting for your confirmation.',
  TOPUP_PROCESSING: 'Your payment is being processed.',
  TOPUP_SUCCEEDED: 'Your payment has arrived.',
  TOPUP_FAILED: 'Your payment has failed. Nothing was credited.',
  TOPUP_CANCELED: 'Your payment was cancelled. Nothing was credited.',
};

/** The page for a payer without a return URL. It contains only fixed texts. */
export const topUpPage = ({ status }: Pick<TopUp, 'status'>): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Payment</title></head>
<body><p>${PAGE_TEXTS[status]}</p><p>You can close this page.</p></body>
</html>
`;

/** The payer's redirect; null when there is no URL, or the outcome is still open. */
export const payerUrl = ({ id, status, returnUrl, cancelUrl }: TopUp): string | null => {
  const isWaiting = status === 'TOPUP_CREATED' || status === 'TOPUP_AWAITING_USER_CONFIRMATION';
  const isPaid = status === 'TOPUP_SUCCEEDED' || status === 'TOPUP_PROCESSING';
  const wanted = isPaid ? returnUrl : cancelUrl;
  if (isWaiting || wanted === null) return null;
  const url = new URL(wanted);
  url.searchParams.set('topupId', id);
  url.searchParams.set('status', status);
  return url.href;
};
