// Unsigned escrow webhooks from a sender that knows the contracts of every marketplace, as anybody can read them from the ledger.
// None of them is true because of its sender: what they claim has to be read elsewhere.

import { ESCROW_EVENT_TYPES } from '@holdfast/contract/api/webhooks.ts';
import { retryUntil } from '../retry.ts';
import { attempt } from './attempts.ts';
import type { Attack, Attacker } from './cast.ts';

const ATTACKER = 'hint flood';
const WAVES = 4;
const HINTS = 40;

const CONTRACTS = 'select provider_contract_id as id from escrows where provider_contract_id is not null order by id';

const send = (attack: Attack, of: { contractId: string; eventId: string }): Promise<unknown> => {
  const type = attack.random.pick(ESCROW_EVENT_TYPES);
  const body = { type, event_id: of.eventId, data: { contract_id: of.contractId } };
  return attempt(attack, {
    attacker: ATTACKER,
    what: type,
    method: 'POST',
    path: '/webhooks/escrow-provider',
    key: null,
    body,
  });
};

export const runHintFlood: Attacker = async (attack) => {
  const { environment, tag, random, isOver } = attack;
  let contractIds: string[] = [];
  const readContracts = async (): Promise<boolean> => {
    // PostgreSQL may be killed now.
    const rows = await environment.sql(CONTRACTS).catch(() => []);
    contractIds = rows.map(({ id }) => id);
    return contractIds.length > 0 || isOver();
  };
  for (let wave = 0; wave < WAVES; wave++) {
    await retryUntil(readContracts, 'a contract is deployed');
    if (contractIds.length === 0) return;
    await Promise.all(
      Array.from({ length: HINTS }, (_, at) =>
        send(attack, { contractId: random.pick(contractIds), eventId: `${tag}-${wave}-${at}` }),
      ),
    );
  }
};
