// The two ends of one proxied connection: what ends one ends the other, and both can be cut.

import type { Socket } from 'node:net';

export const tieSockets = (ends: readonly [Socket, Socket], open: Set<Socket>): void => {
  for (const [one, other] of [ends, ends.toReversed() as [Socket, Socket]]) {
    open.add(one);
    one.setNoDelay(true);
    one.on('error', () => {});
    one.on('close', () => {
      open.delete(one);
      other.destroy();
    });
  }
};
