// A connection that prepares each statement once, under a name, so that PostgreSQL parses and plans it once per connection. The
// names are bounded: the statement that was not used for the longest time loses its name. A statement that PostgreSQL no longer
// accepts, because a migration changed a table, is prepared again.

import pg from 'pg';

/** The parts of the driver's connection that its types leave out. */
type Wire = {
  readonly parsedStatements: Record<string, string>;
  close(message: { readonly type: 'S'; readonly name: string }): void;
};

type Done = (error: Error | undefined, result: pg.QueryResult) => void;

type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] };

const NAMES_MAX = 100;

/** Scripts, `begin` and `set` have no plan, and several statements in one text cannot be prepared. */
const PREPARABLE = /^\s*(select|with|insert|update|delete)\b[^;]*$/i;

const NO_SUCH_STATEMENT = '26000';

/** The statement was prepared, and PostgreSQL refuses it now because its result has other columns, or has forgotten it. */
export const isStaleStatement = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.routine === 'RevalidateCachedQuery' || error.code === NO_SUCH_STATEMENT);

export class PreparingClient extends pg.Client {
  /** By text, those that were used last at the end. */
  readonly #names = new Map<string, string>();
  #created = 0;

  // The driver declares eleven forms of this function. The pool and the queries use a text, a text with values, and an object of both,
  // each with or without a callback.
  // biome-ignore lint/suspicious/noExplicitAny: no narrower type has all forms.
  override query(query: any, ...rest: any[]): any {
    const statement = this.#statementOf(query, rest[0]);
    const done: Done | undefined = rest.findLast((given) => typeof given === 'function');
    if (statement === null) return this.#send(query, ...rest);
    return done ? this.#run(statement, done) : this.#promise(statement);
  }

  #send(...given: unknown[]): unknown {
    return Reflect.apply(pg.Client.prototype.query, this, given);
  }

  #statementOf(query: unknown, given: unknown): Statement | null {
    const { text, values = given } = typeof query === 'string' ? { text: query } : (query as Partial<Statement>);
    if (typeof text !== 'string' || isCustom(query) || !PREPARABLE.test(text)) return null;
    return { name: this.#nameOf(text), text, values: Array.isArray(values) ? values : [] };
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text);
    if (known !== undefined) this.#names.delete(text);
    else if (this.#names.size >= NAMES_MAX) this.#forget(this.#names.keys().next().value!);
    const name = known ?? `s${++this.#created}`;
    this.#names.set(text, name);
    return name;
  }

  /** The message goes out with the next statement and costs no round trip. */
  #forget(text: string): void {
    const name = this.#names.get(text);
    if (name === undefined) return;
    this.#names.delete(text);
    const wire = (this as unknown as { readonly connection: Wire }).connection;
    delete wire.parsedStatements[name];
    wire.close({ type: 'S', name });
  }

  #run(statement: Statement, done: Done): void {
    // A transaction has failed with its statement, so only the caller can repeat it.
    const isAlone = this.getTransactionStatus() === 'I';
    this.#send(statement, (error: Error | undefined, result: pg.QueryResult) => {
      if (!isStaleStatement(error)) return done(error, result);
      this.#forget(statement.text);
      if (!isAlone) return done(error, result);
      this.#send({ ...statement, name: this.#nameOf(statement.text) }, done);
    });
  }

  async #promise(statement: Statement): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      this.#run(statement, (error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

/** A cursor, a stream, or a query with options that a prepared statement does not have. */
const isCustom = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && ('submit' in query || 'rowMode' in query || 'types' in query);
