// The columns of exported corrections, notes, and messages and files of a dispute.

import type { Correction, DisputeMessage, Evidence, Note } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const CORRECTION_EXPORT: Exported<Correction> = {
  file: 'corrections',
  columns: [
    { name: 'Correction', value: ({ id }) => id },
    { name: 'Kind', value: ({ kind }) => kind },
    { name: 'Record', value: ({ resourceId }) => resourceId },
    { name: 'Order', value: ({ orderId }) => orderId },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Before', value: ({ before }) => JSON.stringify(before) },
    { name: 'After', value: ({ after }) => JSON.stringify(after) },
    { name: 'By', value: ({ by }) => by.name },
    { name: 'By ID', value: ({ by }) => by.id },
    { name: 'Time', time: ({ createdAt }) => createdAt },
  ],
};

export const NOTE_EXPORT: Exported<Note> = {
  file: 'notes',
  columns: [
    { name: 'Note', value: ({ id }) => id },
    { name: 'Record type', value: ({ resourceType }) => resourceType },
    { name: 'Record', value: ({ resourceId }) => resourceId },
    { name: 'Text', value: ({ text }) => text },
    { name: 'Author', value: ({ author }) => author.name },
    { name: 'Author ID', value: ({ author }) => author.id },
    { name: 'Time', time: ({ createdAt }) => createdAt },
  ],
};

export const EVIDENCE_EXPORT: Exported<Evidence> = {
  file: 'evidence',
  columns: [
    { name: 'File', value: ({ id }) => id },
    { name: 'Dispute', value: ({ disputeId }) => disputeId },
    { name: 'File name', value: ({ fileName }) => fileName },
    { name: 'Type', value: ({ contentType }) => contentType },
    { name: 'Bytes', value: ({ sizeBytes }) => sizeBytes },
    { name: 'SHA-256', value: ({ sha256 }) => sha256 },
    { name: 'Submitted by', value: ({ submittedBy }) => submittedBy },
    { name: 'Description', value: ({ description }) => description },
    { name: 'Author', value: ({ author }) => author.name },
    { name: 'Time', time: ({ createdAt }) => createdAt },
  ],
};

export const MESSAGE_EXPORT: Exported<DisputeMessage> = {
  file: 'messages',
  columns: [
    { name: 'Message', value: ({ id }) => id },
    { name: 'Dispute', value: ({ disputeId }) => disputeId },
    { name: 'From', value: ({ from }) => from },
    { name: 'Text', value: ({ text }) => text },
    { name: 'Author', value: ({ author }) => author.name },
    { name: 'Time', time: ({ createdAt }) => createdAt },
  ],
};
