// Stores a file with a dispute. Event and audit entry contain its hash, and neither its content nor its name, which may be personal.

import { LIMITS } from '@holdfast/contract/limits.ts';
import { DomainError } from '../../base/domain-error.ts';
import { command, type UnitOfWork } from '../../commit/command.ts';
import { type Evidence, MARKETPLACE_COUNT } from './evidence.ts';

type SubmitInput = Omit<Evidence, 'id' | 'createdAt'> & {
  /** In the hex form of PostgreSQL. */
  readonly content: string;
  /** Of all files of the marketplace together. */
  readonly marketplaceBytes: number;
};

const NONE = { files: 0, bytes: 0n };

const count = (work: UnitOfWork, { disputeId, sizeBytes, marketplaceBytes }: SubmitInput): void => {
  const ofDispute = work.find('evidenceCounts', disputeId) ?? NONE;
  const ofAll = work.find('evidenceCounts', MARKETPLACE_COUNT) ?? NONE;
  const size = BigInt(sizeBytes);
  if (ofDispute.files >= LIMITS.evidenceFiles) {
    throw new DomainError('EVIDENCE_LIMIT', { details: { limitedBy: 'dispute', limit: LIMITS.evidenceFiles } });
  }
  if (ofAll.bytes + size > BigInt(marketplaceBytes)) {
    throw new DomainError('EVIDENCE_LIMIT', {
      message: 'The evidence of the marketplace has as many bytes as it may have; see details.limit.',
      details: { limitedBy: 'marketplace', limit: marketplaceBytes },
    });
  }
  const updatedAt = work.now;
  for (const [id, before] of [
    [disputeId, ofDispute],
    [MARKETPLACE_COUNT, ofAll],
  ] as const) {
    work.put('evidenceCounts', { id, files: before.files + 1, bytes: before.bytes + size, updatedAt });
  }
};

export const submitEvidence = command<SubmitInput, Evidence>({
  name: 'submit-evidence',
  needs: ({ disputeId }) => ({
    rows: [
      { table: 'disputes', id: disputeId },
      { table: 'evidenceCounts', id: disputeId },
      { table: 'evidenceCounts', id: MARKETPLACE_COUNT },
    ],
  }),
  needsNext({ disputeId }, work) {
    const dispute = work.find('disputes', disputeId);
    return dispute ? { rows: [{ table: 'orders', id: dispute.orderId }] } : {};
  },
  decide(input, work) {
    const { orderId } = work.get('disputes', input.disputeId);
    const { buyerId: userId } = work.get('orders', orderId);
    count(work, input);
    const { content, marketplaceBytes: _, ...record } = input;
    const { disputeId, submittedBy, contentType, sizeBytes, sha256 } = record;
    const evidence: Evidence = { ...record, id: work.newId('evidence'), createdAt: work.now };
    work.put('evidence', evidence);
    work.put('evidenceContents', { id: evidence.id, content });
    const file = { submittedBy, contentType, sizeBytes, sha256 };
    work.emit({
      type: 'dispute.evidence_submitted',
      aggregateId: disputeId,
      userId,
      payload: { disputeId, orderId, evidenceId: evidence.id, ...file, submittedAt: work.now },
    });
    work.audit({
      action: 'EVIDENCE_SUBMITTED',
      resourceType: 'Evidence',
      resourceId: evidence.id,
      userId,
      after: { disputeId, ...file },
    });
    return evidence;
  },
});
