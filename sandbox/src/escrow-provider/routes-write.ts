// The write routes of the provider: each prepares one transaction and changes nothing. Faults of the call itself take effect here.

import type { Fault } from '../faults.ts';
import { CALL_FAULTS } from '../faults-table.ts';
import { answerUnder } from '../http-misbehave.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { EscrowConfig } from '../sandbox-config.ts';
import type { SimulatorTools } from '../simulator.ts';
import { type Fields, fieldsOf } from './body.ts';
import { WRITE_PATHS, type WritePath } from './calls.ts';
import type { Escrow } from './contract/escrow.ts';
import { apiError } from './errors.ts';
import { prepareCall } from './prepare.ts';

type Tools = SimulatorTools<EscrowConfig> & { ledger: LedgerNetwork };

export function writeRoutes({ app, clock, faults, flush, ledger }: Tools): void {
  for (const write of WRITE_PATHS) {
    app.route({
      method: write.method,
      url: write.path,
      handler(request, reply) {
        const body = fieldsOf(request.body);
        const act = (fault: Fault | null) => {
          const wrong = fault?.fault === 'wrong-amount';
          const { signer, call } = write.prepare({ body, type: write.type, ledger, wrong });
          const unchecked = wrong && write.operation === 'resolve';
          const unsignedTransaction = prepareCall({ ledger, nowMs: clock.now(), signer, call, unchecked });
          return reply.code(201).send({ status: 'SUCCESS', unsignedTransaction });
        };
        const refuse = () => {
          throw apiError(400, 'Refused by an armed fault.');
        };
        return answerUnder({ reply, fault: strikeCall(write, body), flush, refuse, act });
      },
    });
  }

  function strikeCall({ operation, path }: WritePath, body: Fields): Fault | null {
    if (operation === null) return null;
    const { contractId } = body;
    const escrow = typeof contractId === 'string' ? ledger.contract(contractId)?.data : null;
    const ids = [body.engagementId, contractId, (escrow as Escrow | null | undefined)?.engagementId, path];
    // A release names no amount, so a wrong amount can only be paid at its submission.
    const of = CALL_FAULTS.filter((fault) => fault !== 'wrong-amount' || operation !== 'release');
    return faults.strike({ operation, ids: ids.filter((id) => typeof id === 'string'), of });
  }
}
