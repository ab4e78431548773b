// Brings a scenario to its planned end when nothing misbehaves any more.

import type { Actor } from './actors.ts';
import type { ScenarioRecord } from './records.ts';
import { advanceOrder } from './scenarios/order-scenario.ts';
import { finishTopup, finishWithdrawal } from './scenarios/payment-scenario.ts';
import type { OrderScenario, TopupScenario, WithdrawalScenario } from './scenarios/scenarios.ts';

export const finishScenario = async (record: ScenarioRecord, actor: Actor): Promise<void> => {
  if (record.hasEnded) return;
  if (record.scenario.kind === 'order')
    await advanceOrder(record as ScenarioRecord<OrderScenario>, { actor, turns: 6 });
  else if (record.scenario.kind === 'topup') await finishTopup(record as ScenarioRecord<TopupScenario>, actor);
  else if (record.scenario.kind === 'withdrawal')
    await finishWithdrawal(record as ScenarioRecord<WithdrawalScenario>, actor);
  else record.hasEnded = true;
};
