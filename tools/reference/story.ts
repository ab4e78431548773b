// One story from the first key to the last report. Each route of the reference is shown once in it, and all examples fit together.

import type { Recorder } from './recorder.ts';
import { callOff, disputeTable, followUp, sellChair, sellInParts, usePolicies } from './story-orders.ts';
import {
  compareStatement,
  manageEndpoint,
  reconcile,
  repeatRelease,
  sendWebhooks,
  showReceived,
  withdraw,
} from './story-payments.ts';
import type { Known } from './story-refusals.ts';
import type { StoryServer } from './story-server.ts';
import {
  correct,
  manageMarketplace,
  operate,
  readReports,
  useApprovals,
  useOperators,
  usePeople,
} from './story-service.ts';
import { enterPeople, moveBalances, openShop, readStream, readUsers, topUp, useWallets } from './story-users.ts';

export const live = async (story: Recorder, server: StoryServer): Promise<Known> => {
  const since = new Date().toISOString();
  const { keyId } = await openShop(story);
  const people = { keyId, ...(await enterPeople(story)) };
  const { topup } = await topUp(story, people);
  await moveBalances(story, people);
  await useWallets(story, people);
  const endpoint = await sendWebhooks(story, server);
  const chair = await sellChair(story, people);
  const parts = await sellInParts(story, people);
  const { id: dispute } = await disputeTable(story, people);
  await callOff(story, people);
  await usePolicies(story, people);
  await followUp(story, chair);
  const { withdrawal } = await withdraw(story, people);
  await repeatRelease(story, chair);
  await manageEndpoint(story, { id: endpoint, since });
  await compareStatement(story, { topup, withdrawal });
  await reconcile(story, { people, server });
  await useOperators(story);
  await useApprovals(story, people);
  await correct(story, people);
  await readUsers(story, people);
  await readReports(story);
  await readStream(story);
  await manageMarketplace(story, server);
  await operate(story, server);
  showReceived(story, server);
  await usePeople(story);
  return { people, chair, parts, dispute, topup, withdrawal, endpoint };
};
