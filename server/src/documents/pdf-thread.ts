// The thread that draws a PDF, so that fonts and compression do not delay requests. It gets one part at a time, posts the bytes that are
// ready, and asks for the next part.

import { parentPort, workerData } from 'node:worker_threads';
import type { Part } from './document.ts';
import type { FromThread, PdfOrder } from './pdf.ts';
import { createPdf } from './pdf-layout.ts';

const { head, brand } = workerData as PdfOrder;
const port = parentPort!;
const post = (message: FromThread): void => port.postMessage(message);

const pdf = createPdf(head, brand);
pdf.bytes.on('data', (bytes: Uint8Array) => post({ kind: 'bytes', bytes }));
pdf.bytes.on('end', () => {
  post({ kind: 'end' });
  port.close();
});

/** After the bytes of the part before it. */
const askNext = (): void => void setImmediate(() => post({ kind: 'next' }));

port.on('message', (part: Part | null) => {
  if (part === null) {
    pdf.end();
    return;
  }
  pdf.draw(part);
  askNext();
});
askNext();
