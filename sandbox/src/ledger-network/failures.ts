// The two failures of an operation whose transaction is on the ledger: a code of the network, or a refusal of a contract with its own
// message.

export class OperationFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export class ContractFailure extends Error {}
