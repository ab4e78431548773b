// Chooses the commands of the next group. On a distributed database a group is about one marketplace: that of the oldest command. Commands
// of one marketplace keep their order.

import type { Queued } from './lane.ts';

type Choice = { readonly size: number; readonly ofOneMarketplace: boolean };

export const nextCommands = (queue: readonly Queued[], { size, ofOneMarketplace }: Choice): Queued[] => {
  const first = queue[0]?.submission.context.marketplaceId;
  if (!ofOneMarketplace) return queue.slice(0, size);
  const chosen: Queued[] = [];
  for (const item of queue) {
    if (chosen.length === size) break;
    if (item.submission.context.marketplaceId === first) chosen.push(item);
  }
  return chosen;
};

export const removeCommands = (queue: Queued[], chosen: readonly Queued[]): void => {
  const last = chosen.at(-1);
  if (!last) return;
  // Usually the chosen commands are the first ones.
  if (queue[chosen.length - 1] === last) {
    queue.splice(0, chosen.length);
    return;
  }
  const taken = new Set(chosen);
  queue.splice(0, queue.length, ...queue.filter((item) => !taken.has(item)));
};
