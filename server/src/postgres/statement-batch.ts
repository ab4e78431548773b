// Several prepared statements as one message to PostgreSQL, which answers them together. Either all are executed, or none behind the
// first that fails. Their rows are not read: what has to be known is in their errors.

import pg from 'pg';
import { MessageBuffer, type NamedStatement } from './message-buffer.ts';

/** The parts of the driver's connection that its types leave out. */
type Wire = {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  sync(): void;
};

const wireOf = (client: pg.Client): Wire => client.connection as unknown as Wire;

/** Memory of batches that were answered, for the next ones. */
const kept: Buffer[] = [];
const KEPT_MAX = 8;
const KEPT_BYTES_MAX = 512 * 1024;

const keep = (bytes: Buffer): void => {
  if (kept.length < KEPT_MAX && bytes.length <= KEPT_BYTES_MAX) kept.push(bytes);
};

/** What the driver calls when PostgreSQL answers. */
abstract class Awaited extends pg.Query {
  readonly #answer = Promise.withResolvers<void>();
  /** Rejected with the first error. */
  readonly answered: Promise<void> = this.#answer.promise;

  constructor() {
    super('');
    // The caller may look at it later than it fails.
    this.answered.catch(() => {});
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#answer.resolve();
  }

  handleError(error: unknown): void {
    this.#answer.reject(error);
  }
}

/** Prepares a statement. The driver keeps in mind that the connection has it. */
export class Preparation extends Awaited {
  readonly name: string;
  readonly text: string;

  constructor({ name, text }: Pick<NamedStatement, 'name' | 'text'>) {
    super();
    this.name = name;
    this.text = text;
  }

  override submit = (connection: unknown): void => {
    const wire = connection as Wire;
    wire.submittedNamedStatements[this.name] = this.text;
    wire.parse({ name: this.name, text: this.text });
    wire.sync();
  };
}

export class StatementBatch extends Awaited {
  readonly #statements: readonly NamedStatement[];
  readonly #messages = new MessageBuffer(kept.pop());
  /** For logs and tests. */
  readonly text: string;

  /** Throws when a value does not fit its type. Later changes of what the values were made from have no effect. */
  constructor(statements: readonly NamedStatement[]) {
    super();
    this.#statements = statements;
    this.text = statements.map(({ name }) => name).join(', ');
    for (const statement of statements) this.#messages.execute(statement);
    this.#messages.sync();
  }

  /** What has to be sent before: statements that the connection does not have yet. */
  preparations(client: pg.Client): Preparation[] {
    const { parsedStatements, submittedNamedStatements } = wireOf(client);
    const isKnown = ({ name }: NamedStatement): boolean => name in parsedStatements || name in submittedNamedStatements;
    const unknown = this.#statements.filter((statement) => !isKnown(statement));
    return [...new Map(unknown.map((statement) => [statement.name, statement])).values()].map(
      (statement) => new Preparation(statement),
    );
  }

  override submit = (connection: unknown): void => {
    const { stream } = connection as Wire;
    // The driver fails every query of a connection that has ended.
    if (stream.writable) stream.write(this.#messages.written);
  };

  // PostgreSQL has read all of it, so the memory is free.
  override handleReadyForQuery(): void {
    keep(this.#messages.bytes);
    super.handleReadyForQuery();
  }
}
