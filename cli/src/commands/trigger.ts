// Makes the simulators of the sandbox act: a payer pays, a payout completes, a deposit arrives, the escrow provider sends a webhook.

import type { PayinDecision, PayoutDecision, SendSandboxEscrowEventInput, TopUp, Withdrawal } from '@holdfast/sdk';
import { Argument, type Command } from 'commander';
import { choice, define } from '../define.ts';
import { wrongUsage } from '../failures.ts';
import { action, type Run, readBack } from '../run.ts';
import { depositAddress } from '../waiting.ts';

type TriggerOptions = { readonly reason?: string; readonly amount?: string; readonly asset: 'USDC' | 'XLM' };

type Trigger = {
  readonly needs: string;
  /** The result as a sentence, and as the server returned it. */
  pull(run: Run<TriggerOptions>, id: string): Promise<{ sentence: string; result: unknown }>;
};

const payin = (decision: PayinDecision): Trigger => ({
  needs: 'a top-up',
  async pull({ client, out, options: { reason } }, id) {
    const result = await client.sandbox.decidePayin(id, decision, { reason });
    const done = `The payment provider's payin of ${id} is ${result.status}`;
    const topup = await readBack(
      { out },
      { done, read: (): Promise<TopUp | null> => client.topups.get(id), known: null },
    );
    return { sentence: topup === null ? `${done}.` : `${done}; the top-up is ${topup.status}.`, result };
  },
});

const payout = (decision: PayoutDecision): Trigger => ({
  needs: 'a withdrawal',
  async pull({ client, out, options: { reason } }, id) {
    const result = await client.sandbox.decidePayout(id, decision, { reason });
    const done = `The payment provider's payout of ${id} is ${result.status}`;
    const withdrawal = await readBack(
      { out },
      { done, read: (): Promise<Withdrawal | null> => client.withdrawals.get(id), known: null },
    );
    return { sentence: withdrawal === null ? `${done}.` : `${done}; the withdrawal is ${withdrawal.status}.`, result };
  },
});

const escrow = (type: SendSandboxEscrowEventInput['type']): Trigger => ({
  needs: 'an order',
  async pull({ client }, orderId) {
    const result = await client.sandbox.sendEscrowEvent({ type, orderId } as SendSandboxEscrowEventInput);
    const outcome = result.delivered ? (result.processed ? 'processed' : 'delivered without effect') : 'not delivered';
    return { sentence: `${type} about ${orderId} was ${outcome} (${result.eventId}).`, result };
  },
});

const deposit: Trigger = {
  needs: 'a user or an address',
  async pull(run, to) {
    const { client, options } = run;
    if (options.amount === undefined) throw wrongUsage('Set the amount with --amount.');
    const { amount, asset } = options;
    const address = to.startsWith('usr_') ? await depositAddress(run, to) : to;
    const result = await client.sandbox.faucet({ address, asset, amount });
    return {
      sentence: `Paid ${amount} ${asset} to ${address} (${result.transactionHash}). The deposit is credited within a few seconds.`,
      result,
    };
  },
};

const TRIGGERS: Readonly<Record<string, Trigger>> = {
  'payin.succeeded': payin('confirm'),
  'payin.processing': payin('process'),
  'payin.failed': payin('fail'),
  'payin.canceled': payin('cancel'),
  'payout.completed': payout('complete'),
  'payout.pending': payout('pend'),
  'payout.pending_user_action': payout('require-action'),
  'payout.failed': payout('fail'),
  'payout.canceled': payout('cancel'),
  deposit,
  'escrow.created': escrow('escrow.created'),
  'escrow.funding_started': escrow('escrow.funding_started'),
  'escrow.funded': escrow('escrow.funded'),
  'escrow.milestone_completed': escrow('escrow.milestone_completed'),
  'escrow.released': escrow('escrow.released'),
  'escrow.refunded': escrow('escrow.refunded'),
  'escrow.disputed': escrow('escrow.disputed'),
};

export const addTriggerCommand = (program: Command): void => {
  define(program, {
    name: 'trigger',
    what: 'make the sandbox act; without arguments lists the triggers',
    examples: [
      'holdfast trigger payin.succeeded top_01J…',
      'holdfast trigger deposit usr_01J… --amount 25.00',
      'holdfast trigger payout.failed wdr_01J… --reason 415010',
      'holdfast trigger escrow.funded ord_01J…',
    ],
  })
    .addArgument(new Argument('[what]', 'the trigger').choices(Object.keys(TRIGGERS)))
    .argument('[id]', 'the top-up, withdrawal, user, address or order')
    .option('--reason <text>', 'reason given by the provider; for payins and payouts')
    .option('--amount <amount>', 'amount; for deposits')
    .addOption(choice('--asset <asset>', { what: 'asset; for deposits', of: ['USDC', 'XLM'] }).default('USDC'))
    .action(
      action<TriggerOptions>(async (run, [what, id]) => {
        const { out } = run;
        const list = Object.entries(TRIGGERS).map(([name, { needs }]) => ({ name, needs }));
        if (what === undefined && out.isJson) return out.json(list);
        if (what === undefined) {
          return out.table(list, [
            { title: 'trigger', of: ({ name }) => name },
            { title: 'needs', of: ({ needs }) => needs },
          ]);
        }
        const trigger = TRIGGERS[what]!;
        if (id === undefined) throw wrongUsage(`${what} needs ${trigger.needs}: holdfast trigger ${what} <id>`);
        const { sentence, result } = await trigger.pull(run, id);
        if (out.isJson) out.json(result);
        else out.line(sentence);
      }),
    );
};
