// A refusal for the caller with its HTTP status. Simulators give their own body, in the form of the system that they simulate.

export class Refusal extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, message: string, body?: unknown) {
    super(message);
    this.status = status;
    this.body = body ?? { error: message };
  }
}
