// Admission control: counts the requests that are being processed and refuses more than a fixed number before they cost anything, so
// that the admitted ones are answered soon. Without it an overload makes every request wait for a minute.

import type { FastifyReply, FastifyRequest } from 'fastify';

export type AdmissionControl = {
  hasCapacity(): boolean;
  /** False when there is no capacity. An admitted request counts until `release` is called for it. */
  admit(request: FastifyRequest, reply: FastifyReply): boolean;
  /** Called when the response of an admitted request has ended, or its client has left. */
  release(): void;
};

export const createAdmissionControl = (max: number): AdmissionControl => {
  let running = 0;
  const hasCapacity = (): boolean => running < max;
  return {
    hasCapacity,
    admit(request, { raw }) {
      if (!hasCapacity()) return false;
      // The end of a response that is already destroyed may have been noticed before, and the request would count forever.
      if (raw.destroyed) return true;
      running++;
      request.isAdmitted = true;
      return true;
    },
    release() {
      running--;
    },
  };
};
