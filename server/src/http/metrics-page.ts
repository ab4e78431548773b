// GET /metrics for Prometheus. It is not part of the API: plain text without an envelope, and `mayReadMetrics` decides who may read it.

import type { FastifyInstance } from 'fastify';
import { DomainError } from '../base/domain-error.ts';
import type { ProofSummary } from '../books/checkpoints.ts';
import { type Metrics, mayReadMetrics } from '../observability/metrics.ts';

type Parts = {
  readonly metrics: Metrics;
  summary(): Promise<ProofSummary>;
  readonly host: string;
  readonly token: string | null;
};

export const mountMetrics = (app: FastifyInstance, { metrics, summary, host, token }: Parts): void => {
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics({ host, token, authorization: request.headers.authorization })) {
      throw new DomainError('UNAUTHORIZED', { message: 'Send the METRICS_TOKEN as `Authorization: Bearer <token>`.' });
    }
    // The job that proves the books may run in another process, so its result is read from the database.
    const { marketplaces, failing, oldestAt, oldestFullAt, currencies } = await summary();
    if (marketplaces > 0 && oldestAt !== null) {
      const fullAt = oldestFullAt === null ? null : new Date(oldestFullAt);
      metrics.proof.checked({ holds: failing.length === 0, at: new Date(oldestAt), fullAt, currencies });
    }
    return reply.type(metrics.contentType).send(await metrics.text());
  });
};
