// Sends a message about a dispute that is not resolved. The event names the message; the audit entry contains the length and the hash of
// the text, which may contain personal data.

import { hash } from 'node:crypto';
import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command } from '../../commit/command.ts';
import type { DisputeMessage } from './message.ts';

type SendInput = Pick<DisputeMessage, 'disputeId' | 'sender' | 'text' | 'author'>;

export const sendDisputeMessage = command<SendInput, DisputeMessage>({
  name: 'send-dispute-message',
  needs: ({ disputeId }) => ({
    rows: [
      { table: 'disputes', id: disputeId },
      { table: 'disputeMessageCounts', id: disputeId },
    ],
  }),
  needsNext({ disputeId }, work) {
    const dispute = work.find('disputes', disputeId);
    return dispute ? { rows: [{ table: 'orders', id: dispute.orderId }] } : {};
  },
  decide({ disputeId, sender, text, author }, work) {
    const { orderId, status } = work.get('disputes', disputeId);
    const { buyerId: userId } = work.get('orders', orderId);
    if (status === 'RESOLVED') {
      throw new DomainError('INVALID_STATE', {
        message: 'The dispute is resolved, so no more messages can be sent about it. Write a note instead.',
        details: { currentState: status, allowedActions: [] },
      });
    }
    const { messages } = work.find('disputeMessageCounts', disputeId) ?? { messages: 0 };
    const limit = LIMITS.disputeMessages;
    if (messages >= limit) throw new DomainError('DISPUTE_MESSAGE_LIMIT', { details: { limit } });
    work.put('disputeMessageCounts', { id: disputeId, messages: messages + 1, updatedAt: work.now });
    const message: DisputeMessage = {
      id: work.newId('disputeMessage'),
      disputeId,
      sender,
      text,
      author,
      createdAt: work.now,
    };
    work.put('disputeMessages', message);
    work.emit({
      type: 'dispute.message',
      aggregateId: disputeId,
      userId,
      payload: { disputeId, orderId, messageId: message.id, from: sender, sentAt: work.now },
    });
    work.audit({
      action: 'DISPUTE_MESSAGE_SENT',
      resourceType: 'DisputeMessage',
      resourceId: message.id,
      userId,
      after: { disputeId, from: sender, textLength: text.length, textSha256: hash('sha256', text, 'hex') },
    });
    return message;
  },
});
