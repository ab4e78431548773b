// The provider's limit of 50 requests in 60 seconds, off unless asked for. Counted on the simulators' clock.

import type { Clock } from '../clock.ts';
import { apiError } from './errors.ts';

const REQUESTS_MAX = 50;
const WINDOW_MS = 60_000;

export function rateLimit(clock: Clock): () => void {
  let windowEnds = 0;
  let requests = 0;
  return () => {
    const now = clock.now();
    if (now >= windowEnds) {
      windowEnds = now + WINDOW_MS;
      requests = 0;
    }
    requests++;
    if (requests > REQUESTS_MAX) throw apiError(429, 'Too many requests: 50 in 60 seconds are allowed');
  };
}
