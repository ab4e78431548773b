// Limits how many large bodies are in memory at once: of one marketplace, so that it cannot take the places of all others, and of all.
// A request counts from before its body is read until its response has ended.

import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { DomainError } from '../base/domain-error.ts';

const OF_MARKETPLACE_MAX = 4;
const ALL_MAX = 32;

export const createUploads = ({ ofMarketplaceMax = OF_MARKETPLACE_MAX, allMax = ALL_MAX } = {}) => {
  const running = new Map<string, number>();
  let all = 0;
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    const { marketplaceId } = request.caller!;
    const own = running.get(marketplaceId) ?? 0;
    if (own >= ofMarketplaceMax || all >= allMax) {
      done(new DomainError('SERVICE_UNAVAILABLE', { details: { retryAfter: 1 } }));
      return;
    }
    if (reply.raw.destroyed) {
      done();
      return;
    }
    running.set(marketplaceId, own + 1);
    all++;
    reply.raw.once('close', () => {
      const left = running.get(marketplaceId)! - 1;
      if (left === 0) running.delete(marketplaceId);
      else running.set(marketplaceId, left);
      all--;
    });
    done();
  };
};
