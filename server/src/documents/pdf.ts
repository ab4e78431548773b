// Draws a PDF in a thread of its own, with a bounded heap. The server gives it one part at a time and waits until the bytes before it are
// taken, so nothing piles up. Each marketplace has at most one thread, so one marketplace never stops the files of the others.

import { Worker } from 'node:worker_threads';
import { createGate, createGates } from '../base/concurrency.ts';
import { DomainError } from '../base/domain-error.ts';
import type { Brand } from './brand.ts';
import type { Document, DocumentHead } from './document.ts';

export type PdfOrder = { readonly head: DocumentHead; readonly brand: Brand };

export type FromThread =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'next' }
  | { readonly kind: 'end' };

/** The fonts take most of it. */
const HEAP_MIB = 192;
/** A thread takes a processor for itself while it draws. */
const THREADS = { atOnce: 2, waitingMax: 16 };
const OF_MARKETPLACE = { atOnce: 1, waitingMax: 4 };

const startThread = (order: PdfOrder): Worker =>
  new Worker(new URL('./pdf-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: HEAP_MIB / 4 },
  });

/** The messages of a thread, in their order. A thread that fails ends them with its error. */
const messagesOf = (thread: Worker) => {
  const waiting: FromThread[] = [];
  let failure: Error | null = null;
  let wake = (): void => {};
  thread.on('message', (message: FromThread) => {
    waiting.push(message);
    wake();
  });
  thread.on('error', (error) => {
    failure = error as Error;
    wake();
  });
  thread.on('exit', () => {
    failure ??= new Error('The thread that draws a PDF ended early.');
    wake();
  });
  return async (): Promise<FromThread> => {
    for (;;) {
      const message = waiting.shift();
      if (message) return message;
      if (failure) throw failure;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
};

async function* drawn(document: Document, brand: Brand): AsyncGenerator<Uint8Array> {
  const thread = startThread({ head: document.head, brand });
  const nextMessage = messagesOf(thread);
  try {
    const parts = (async function* () {
      yield* document.parts;
    })();
    for (;;) {
      const message = await nextMessage();
      if (message.kind === 'end') return;
      if (message.kind === 'bytes') yield message.bytes;
      else {
        const { value, done } = await parts.next();
        thread.postMessage(done ? null : value);
      }
    }
  } finally {
    await thread.terminate();
  }
}

type Drawing = {
  readonly marketplaceId: string;
  readonly document: Document;
  /** Aborted when the client has left. */
  readonly left?: AbortSignal | undefined;
};

const busy = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', {
    message: 'The server draws as many PDF files as it can. Send the request again in a few seconds.',
    details: { retryAfter: 5 },
  });

export const createPdfs = (brand: Brand) => {
  const gate = createGate({ ...THREADS, refusal: busy });
  const gates = createGates({ ...OF_MARKETPLACE, refusal: busy });
  return {
    /** Calls `write` with the bytes of the document, piece by piece, and waits for it each time. */
    draw({ marketplaceId, document, left }: Drawing, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
      const draw = async (): Promise<void> => {
        for await (const bytes of drawn(document, brand)) await write(bytes);
      };
      return gates({ key: marketplaceId, left }, () => gate(draw, left));
    },
  };
};
