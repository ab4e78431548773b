// The fees that the contract deducts from a payment: the protocol's and the platform's, rounded down for each recipient. The fee
// accounts get the sum of those parts, so no fraction is paid twice and none is missing.

import type { Distribution } from './escrow.ts';

export type Fees = { protocolFeeBps: number; platformFeeBps: number };
export type Payout = { protocol: bigint; platform: bigint; recipients: Distribution[] };

const WHOLE_BPS = 10_000n;

export function splitRelease(amount: bigint, fees: Fees): Omit<Payout, 'recipients'> & { receiver: bigint } {
  const { protocol, platform } = feesOn(amount, fees);
  return { protocol, platform, receiver: amount - protocol - platform };
}

export function splitDistributions(parts: Distribution[], fees: Fees): Payout {
  const total = parts.reduce((sum, { amount }) => sum + amount, 0n);
  const whole = feesOn(total, fees);
  const payout: Payout = { protocol: 0n, platform: 0n, recipients: [] };
  for (const { address, amount } of parts) {
    const protocol = (amount * whole.protocol) / total;
    const platform = (amount * whole.platform) / total;
    payout.protocol += protocol;
    payout.platform += platform;
    payout.recipients.push({ address, amount: amount - protocol - platform });
  }
  return payout;
}

const feesOn = (amount: bigint, { protocolFeeBps, platformFeeBps }: Fees) => ({
  protocol: (amount * BigInt(protocolFeeBps)) / WHOLE_BPS,
  platform: (amount * BigInt(platformFeeBps)) / WHOLE_BPS,
});
