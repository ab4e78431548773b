// The control API of the sandbox: arms faults, moves the clock, pays and confirms. It has no key, so it answers only callers that
// used a loopback name of this machine; a web page elsewhere must not be able to reach it.

import type { FastifyInstance } from 'fastify';
import type { Clock } from './clock.ts';
import {
  readAccountSettings,
  readEnterprise,
  readEscrowEvent,
  readFaucet,
  readFault,
  readReason,
  readSeconds,
  readUser,
} from './control-bodies.ts';
import type { EscrowProvider } from './escrow-provider/escrow-provider.ts';
import type { Faults } from './faults.ts';
import { OPERATIONS } from './faults-table.ts';
import { isLoopback } from './http.ts';
import type { LedgerNetwork } from './ledger-network/ledger-network.ts';
import { PAYIN_MOVES, PAYOUT_MOVES, type PayinMove, type PayoutMove } from './payment-provider/moves.ts';
import { presentPayin } from './payment-provider/payins.ts';
import type { PaymentProvider } from './payment-provider/payment-provider.ts';
import { presentPayout } from './payment-provider/payouts.ts';
import { presentUser } from './payment-provider/users.ts';
import { Refusal } from './refusal.ts';

type ControlTools = {
  app: FastifyInstance;
  clock: Clock;
  faults: Faults;
  ledger: LedgerNetwork;
  escrow: EscrowProvider;
  payment: PaymentProvider;
  describe: () => Record<string, unknown>;
  reset: () => void;
};

export function control({ app, clock, faults, ledger, escrow, payment, describe, reset }: ControlTools): void {
  app.addHook('onRequest', async ({ hostname, headers, socket }) => {
    const callers = [hostname, socket.remoteAddress ?? ''];
    if (headers.origin !== undefined) callers.push(URL.parse(headers.origin)?.hostname ?? '');
    if (callers.every(isLoopback)) return;
    throw new Refusal(403, 'The control API answers only on loopback: call it at 127.0.0.1, localhost or [::1].');
  });

  app.post('/faults', async ({ body }, reply) => {
    const fault = faults.arm(readFault(body));
    reply.code(201);
    return fault;
  });
  app.get('/faults', async () => ({ faults: faults.list(), operations: OPERATIONS }));
  app.delete('/faults', async () => {
    faults.clear();
    return { faults: [] };
  });

  app.post('/clock/advance', async ({ body }) => {
    await clock.advance(readSeconds(body) * 1000);
    return { time: clock.iso() };
  });
  app.get('/clock', async () => ({ time: clock.iso() }));

  app.post('/faucet', async ({ body }) => ledger.faucet(readFaucet(body)));
  app.post<{ Params: { address: string } }>('/accounts/:address', async ({ params, body }) =>
    ledger.changeAccount(params.address, readAccountSettings(body)),
  );
  app.post('/escrow-events', async ({ body }) => escrow.sendEvent(readEscrowEvent(body)));
  app.post('/users', async ({ body }) => {
    const { email, ...settings } = readUser(body);
    return presentUser(payment.users.put(email, settings));
  });

  app.post('/enterprises', async ({ body }, reply) => {
    const { name } = payment.enterprises.put(readEnterprise(body));
    reply.code(201);
    return { name };
  });
  app.delete<{ Params: { name: string; key: string } }>('/enterprises/:name/keys/:key', async ({ params }) => {
    const { name, keys } = payment.enterprises.revoke(params.name, params.key);
    return { name, keys: keys.map(({ key }) => key) };
  });

  app.post<Move>('/payins/:id/:move', async ({ params: { id, move }, body }) => {
    const reason = readReason(body);
    if (!Object.hasOwn(PAYIN_MOVES, move)) throw unknownMove('payin', { move, known: Object.keys(PAYIN_MOVES) });
    const payin = payment.payins.either(id);
    if (payin === undefined) throw unknownId('payin', id);
    const moved = payment.payins.move(payin, { move: move as PayinMove, reason, always: true });
    await payment.webhooksSettled(moved.id);
    return presentPayin(moved);
  });

  const payoutMoves = Object.keys(PAYOUT_MOVES).filter((move) => move !== 'commit');
  app.post<Move>('/payouts/:id/:move', async ({ params: { id, move }, body }) => {
    const reason = readReason(body);
    if (!payoutMoves.includes(move)) throw unknownMove('payout', { move, known: payoutMoves });
    const payout = payment.payouts.either(id);
    if (payout === undefined) throw unknownId('payout', id);
    const given = reason === undefined ? {} : { reason: payoutReason(reason) };
    const moved = payment.payouts.move(payout, { move: move as PayoutMove, always: true, ...given });
    await payment.webhooksSettled(moved.id);
    return presentPayout(moved);
  });

  app.get('/state', async () => describe());
  app.post('/reset', async () => {
    reset();
    return { time: clock.iso() };
  });
}

type Move = { Params: { id: string; move: string } };

const payoutReason = (reason: string) =>
  /^\d{6}$/.test(reason) ? { code: reason, description: `Reason ${reason}` } : { code: null, description: reason };

const unknownId = (noun: string, id: string) =>
  new Refusal(404, `There is no ${noun} "${id}": use the provider's id or the code. GET /control/state lists them.`);

const unknownMove = (noun: string, { move, known }: { move: string; known: string[] }) =>
  new Refusal(404, `A ${noun} cannot "${move}". Use one of: ${known.join(', ')}.`);
