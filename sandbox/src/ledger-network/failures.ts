// The two ways in which an operation can fail once its transaction is on the ledger: by a code of the network, or by a
// contract that says no in its own words.

export class OperationFailure extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export class ContractFailure extends Error {}
