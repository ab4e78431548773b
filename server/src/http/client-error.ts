// Answers connections that sent no valid HTTP request. There is no request object, so the envelope is written to the socket, which
// is then closed.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../base/domain-error.ts';
import { errorBody, errorHeaders, JSON_TYPE } from './error-reply.ts';
import { SECURITY_HEADERS } from './headers.ts';
import { rateHeaders } from './hooks/admit.ts';
import { addressBucket, type Limiter } from './rate-limit/limiter.ts';

const refusalOf = (code: string | undefined): DomainError => {
  const refusal = (sentence: string, status = 400): DomainError =>
    new DomainError('VALIDATION_ERROR', { details: { validationErrors: [sentence] }, status });
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('The headers are too large.', 431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('The request did not arrive in time.', 408);
  return refusal('The request is not valid HTTP.');
};

export const answerClientErrors =
  (options: { limiter: Limiter; rateMax: number }) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const refusal = refusalOf(error.code);
    const requestId = randomUUID();
    const body = errorBody(refusal, requestId);
    Promise.resolve(options.limiter.take(addressBucket(socket.remoteAddress), options.rateMax)).then(
      (taken) => {
        const headers = {
          ...SECURITY_HEADERS,
          ...errorHeaders(refusal),
          ...rateHeaders(taken),
          'x-request-id': requestId,
          'content-type': JSON_TYPE,
          'content-length': String(Buffer.byteLength(body)),
          connection: 'close',
        };
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${head.join('')}\r\n${body}`);
      },
      () => socket.destroy(),
    );
  };
