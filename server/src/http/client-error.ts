// Answers what never became a request: bytes the HTTP parser refused. There is no request to look at, so the envelope is
// written straight to the socket, which is then closed.

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { DomainError } from '../base/domain-error.ts';
import { errorBody, faultHeaders, JSON_TYPE } from './error-reply.ts';
import { rateHeaders } from './hooks/admit.ts';
import { addressBucket } from './rate-limit/address.ts';
import type { Limiter } from './rate-limit/limiter.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

const faultOf = (code: string | undefined): DomainError => {
  const say = (sentence: string, status = 400): DomainError =>
    new DomainError('VALIDATION_ERROR', { details: { validationErrors: [sentence] }, status });
  if (code === 'HPE_HEADER_OVERFLOW') return say('The headers are too large.', 431);
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return say('The request did not arrive in time.', 408);
  return say('The request is not valid HTTP.');
};

export const answerClientErrors =
  (options: { limiter: Limiter; rateMax: number }) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const fault = faultOf(error.code);
    const requestId = randomUUID();
    const body = errorBody(fault, requestId);
    Promise.resolve(options.limiter.take(addressBucket(socket.remoteAddress), options.rateMax)).then(
      (taken) => {
        const headers = {
          ...SECURITY_HEADERS,
          ...faultHeaders(fault),
          ...rateHeaders(taken),
          'x-request-id': requestId,
          'content-type': JSON_TYPE,
          'content-length': String(Buffer.byteLength(body)),
          connection: 'close',
        };
        const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(`HTTP/1.1 ${fault.status} ${STATUS_CODES[fault.status]}\r\n${head.join('')}\r\n${body}`);
      },
      () => socket.destroy(),
    );
  };
