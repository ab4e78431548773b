// The webhooks of the escrow provider. They are sent only when control requests one, and only when they are true of the contract.
// Signed like the real one: a hex HMAC-SHA256 of the body, keyed with the whole secret.

import { createHmac, randomUUID } from 'node:crypto';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { Contract } from '../ledger-network/store.ts';
import { Refusal } from '../refusal.ts';
import type { EscrowWebhookTarget } from '../sandbox-config.ts';
import type { Escrow } from './contract/escrow.ts';
import { amountOf } from './present-escrow.ts';
import { type EscrowEvent, IS_TRUE } from './webhook-truth.ts';

export type EscrowEventRequest = {
  type: EscrowEvent;
  orderId: string;
  milestone: number | null;
  milestoneRef: string | null;
};

export type EventResult = { eventId: string; type: EscrowEvent; status: number | null; answer: unknown };

const PATIENCE_MS = 10_000;

type Tools = { ledger: LedgerNetwork; target: () => EscrowWebhookTarget | null };

export async function sendEscrowEvent({ ledger, target }: Tools, event: EscrowEventRequest): Promise<EventResult> {
  const { type, orderId, milestone } = event;
  const receiver = target();
  if (receiver === null)
    throw new Refusal(409, 'No receiver of escrow webhooks is configured: start the server together with the sandbox.');
  const contract = newestOf(ledger, orderId);
  if (contract === undefined)
    throw new Refusal(404, `There is no contract for the order "${orderId}". Deploy it first.`);
  const { received, paid } = ledger.movesOf(contract.address);
  if (!IS_TRUE[type]({ contract, received, paid, milestone })) {
    throw new Refusal(409, `"${type}" is not true of the contract ${contract.address}: nothing was sent.`);
  }
  const eventId = `evt-${randomUUID()}`;
  const body = JSON.stringify({ type, event_id: eventId, data: dataOf(contract, { ledger, event }) });
  return { eventId, type, ...(await deliver(receiver, body)) };
}

// An order may have more than one contract: an earlier one was left empty.
function newestOf(ledger: LedgerNetwork, orderId: string): Contract | undefined {
  const own = [...ledger.contracts()].filter(
    ({ program, data }) => program === 'escrow' && (data as Escrow).engagementId === orderId,
  );
  return own.at(-1);
}

function dataOf(contract: Contract, { ledger, event }: { ledger: LedgerNetwork; event: EscrowEventRequest }) {
  const escrow = contract.data as Escrow;
  const isWhole = event.type !== 'escrow.milestone_completed';
  return {
    contract_id: contract.address,
    order_id: event.orderId,
    status: event.type.slice('escrow.'.length),
    ...(isWhole ? { amount: String(amountOf(escrow)) } : { milestone_ref: event.milestoneRef }),
    currency: ledger.assetOf(escrow.token) === 'native' ? 'XLM' : 'USDC',
    buyer_address: escrow.roles.approver,
    seller_address: escrow.roles.serviceProvider,
    created_at: new Date(contract.createdAt).toISOString(),
    updated_at: new Date(contract.changedAt).toISOString(),
  };
}

async function deliver(
  { url, secret }: EscrowWebhookTarget,
  body: string,
): Promise<Pick<EventResult, 'status' | 'answer'>> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-escrow-signature': createHmac('sha256', secret).update(body).digest('hex'),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, answer: await answer.json().catch(() => null) };
  } catch {
    return { status: null, answer: null };
  }
}
