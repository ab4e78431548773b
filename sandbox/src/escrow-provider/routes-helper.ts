// The helper routes of the provider: submission, the index of escrows, balances, the trustline of an account.

import { Operation as LedgerOperation } from '@stellar/stellar-sdk';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../faults.ts';
import { answerUnder } from '../http-misbehave.ts';
import { anotherAmount } from '../ledger-network/amounts.ts';
import { nameAsset, toAsset } from '../ledger-network/assets.ts';
import type { LedgerNetwork } from '../ledger-network/ledger-network.ts';
import type { Contract } from '../ledger-network/store.ts';
import type { EscrowConfig } from '../sandbox-config.ts';
import type { SimulatorTools } from '../simulator.ts';
import { addressField, fieldsOf, textField } from './body.ts';
import type { Escrow } from './contract/escrow.ts';
import { apiError, invalid } from './errors.ts';
import { many, one, pick, type Query } from './index-query.ts';
import { prepareOperation } from './prepare.ts';
import { presentEscrow } from './present-escrow.ts';
import { readSubmission, send, strikeSubmission } from './send.ts';
import { writeNumber } from './wire-amounts.ts';

type Tools = SimulatorTools<EscrowConfig> & { ledger: LedgerNetwork };
type Asked = { Querystring: Query };

export function helperRoutes({ app, clock, faults, flush, ledger }: Tools): void {
  const refuse = () => {
    throw apiError(400, 'Refused by an armed fault.');
  };

  app.post('/helper/send-transaction', (request, reply) => {
    const text = textField(fieldsOf(request.body), 'signedXdr');
    const submission = readSubmission(text, ledger);
    const fault = strikeSubmission(faults, submission);
    const act = (struck: Fault | null) => send({ ledger, text, submission, fault: struck });
    return answerUnder({ reply, fault, flush, refuse, act });
  });

  // The order ids that a fault may name are known only after the escrows are found.
  const answerEscrows = (reply: FastifyReply, { asked, contracts }: { asked: string[]; contracts: Contract[] }) => {
    const ids = [...asked, ...contracts.flatMap(({ address, data }) => [address, (data as Escrow).engagementId])];
    const fault = faults.strike({ operation: 'get-escrow', ids });
    const act = (struck: Fault | null) =>
      contracts.map((contract) => presentEscrow(contract, { ledger, wrong: struck?.fault === 'wrong-amount' }));
    return answerUnder({ reply, fault, flush, refuse, act });
  };

  app.get<Asked>('/helper/get-escrow-by-contract-ids', ({ query }, reply) => {
    const asked = many(query, 'contractIds');
    if (asked.length === 0) throw invalid('contractIds must name at least one contract');
    const contracts = asked.map((id) => ledger.contract(id)).filter((found) => found?.program === 'escrow');
    return answerEscrows(reply, { asked, contracts: contracts as Contract[] });
  });

  app.get<Asked>('/helper/get-escrows-by-signer', ({ query }, reply) => {
    const signer = one(query, 'signer');
    if (signer === undefined) throw invalid('signer must be an account address');
    const asked = [signer, ...many(query, 'engagementId')];
    return answerEscrows(reply, { asked, contracts: pick(ledger.contracts(signer), query) });
  });

  app.get<Asked>('/helper/get-escrows-by-role', ({ query }, reply) => {
    const role = one(query, 'role');
    const roleAddress = one(query, 'roleAddress');
    if (role === undefined || roleAddress === undefined) throw invalid('role and roleAddress must be given');
    const held = [...ledger.contracts()].filter(({ program, data }) => {
      return program === 'escrow' && holds(data as Escrow, { role, roleAddress });
    });
    const asked = [roleAddress, ...many(query, 'engagementId')];
    return answerEscrows(reply, { asked, contracts: pick(held, query) });
  });

  app.get<Asked>('/helper/get-multiple-escrow-balance', ({ query }, reply) => {
    const addresses = many(query, 'addresses');
    if (addresses.length === 0) throw invalid('addresses must name at least one contract');
    const contracts = addresses.map((address) => {
      const contract = ledger.contract(address);
      if (contract?.program !== 'escrow') throw apiError(404, `There is no escrow ${address}`, 'NOT_FOUND');
      return contract;
    });
    const ids = contracts.flatMap(({ address, data }) => [address, (data as Escrow).engagementId]);
    const act = (struck: Fault | null) =>
      contracts.map((contract) => {
        const asset = ledger.assetOf((contract.data as Escrow).token)!;
        const units = contract.balances[asset] ?? 0n;
        const shown = struck?.fault === 'wrong-amount' ? anotherAmount(units) : units;
        return { address: contract.address, balance: writeNumber(shown) };
      });
    return answerUnder({ reply, fault: faults.strike({ operation: 'get-escrow', ids }), flush, refuse, act });
  });

  app.post('/helper/set-trustline', (request, reply) => {
    const signer = addressField(fieldsOf(request.body), 'signer');
    const asset = toAsset(nameAsset('USDC', ledger.issuer));
    const operation = LedgerOperation.changeTrust({ asset });
    const unsignedTransaction = prepareOperation({ ledger, nowMs: clock.now(), signer, operation, soroban: false });
    return reply.code(201).send({ status: 'SUCCESS', unsignedTransaction });
  });

  app.put('/indexer/update-from-txhash', (request) => {
    const hash = textField(fieldsOf(request.body), 'txHash');
    if (ledger.find(hash) === undefined) throw apiError(404, `There is no transaction ${hash}`, 'NOT_FOUND');
    return { status: 'SUCCESS', message: 'The escrow has been updated from the transaction.' };
  });
}

function holds(escrow: Escrow, { role, roleAddress }: { role: string; roleAddress: string }): boolean {
  if (role === 'receiver' && escrow.type === 'multi-release') {
    return escrow.milestones.some(({ receiver }) => receiver === roleAddress);
  }
  return (escrow.roles as Record<string, string>)[role] === roleAddress;
}
