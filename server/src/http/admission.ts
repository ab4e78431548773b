// Admission control: counts the requests that are being processed and refuses more than a fixed number before they cost anything, so
// that the admitted ones are answered soon. Without it an overload makes every request wait for a minute.

import type { FastifyReply } from 'fastify';

export type AdmissionControl = {
  hasCapacity(): boolean;
  /** False when there is no capacity. An admitted request counts until its response has ended or its client has left. */
  admit(reply: FastifyReply): boolean;
};

export const createAdmissionControl = (max: number): AdmissionControl => {
  let running = 0;
  const hasCapacity = (): boolean => running < max;
  return {
    hasCapacity,
    admit({ raw }) {
      if (!hasCapacity()) return false;
      // A response that is already destroyed emits no `close` any more and would count forever.
      if (raw.destroyed) return true;
      running++;
      raw.once('close', () => {
        running--;
      });
      return true;
    },
  };
};
