// Evidence and messages of disputes: the files that were submitted, and what the parties and the marketplace say to each other.

import { base64Of } from '../bytes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type { DisputeMessage, ListDisputeMessagesQuery, SendDisputeMessageInput } from '../printed/dispute-messages.ts';
import type { Evidence, ListEvidenceQuery, SubmitEvidenceInput } from '../printed/evidence.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** The content of a file as bytes, or as base64. */
export type EvidenceFile = Omit<SubmitEvidenceInput, 'content'> & { content: Uint8Array | string };

export const disputeFiles = (transport: Transport) => ({
  /** Submits a file. It never changes and is never deleted. Fails with EVIDENCE_LIMIT and PAYLOAD_TOO_LARGE. */
  submitEvidence: <O extends CallOptions>(
    id: string,
    file: EvidenceFile,
    options?: O,
  ): Promise<MaybePreview<Evidence, O>> => {
    const content = typeof file.content === 'string' ? file.content : base64Of(file.content);
    return transport.change<Evidence, O>(
      ROUTES.submitEvidence,
      { params: { id }, body: { ...file, content } },
      options,
    );
  },

  /** The files of a dispute without their contents, newest first. */
  evidence: (id: string, query: ListEvidenceQuery = {}, options?: CallOptions): List<Evidence> =>
    listing(transport, ROUTES.listEvidence, { params: { id }, query, options }),

  /** One file without its content. Fails with EVIDENCE_NOT_FOUND. */
  getEvidence: (id: string, evidenceId: string, options?: CallOptions): Promise<Evidence> =>
    transport.call(ROUTES.getEvidence, { params: { id, evidenceId } }, options),

  /** The content of one file. Anyone may have made it: do not show it as a page of your site. */
  downloadEvidence: (id: string, evidenceId: string, options?: CallOptions): Promise<Uint8Array> =>
    transport.call(ROUTES.getEvidenceContent, { params: { id, evidenceId }, accept: '*/*', bytes: true }, options),

  /** Sends a message, until the dispute is resolved. */
  sendMessage: <O extends CallOptions>(
    id: string,
    input: SendDisputeMessageInput,
    options?: O,
  ): Promise<MaybePreview<DisputeMessage, O>> =>
    transport.change<DisputeMessage, O>(ROUTES.sendDisputeMessage, { params: { id }, body: input }, options),

  /** The messages of a dispute, newest first. */
  messages: (id: string, query: ListDisputeMessagesQuery = {}, options?: CallOptions): List<DisputeMessage> =>
    listing(transport, ROUTES.listDisputeMessages, { params: { id }, query, options }),
});
