// Prepared statements as messages of PostgreSQL's protocol, written one after the other into one buffer. The driver makes a new buffer for each
// message and enlarges it step by step: the 63 KB of a group of 21 credits took 190 KB of such buffers.

/** Reserves the bytes of a value, which the caller fills. */
export type Allocate = (size: number) => Buffer;

/** A value that writes itself in the binary form of its type. */
export type BinaryValue = { writeTo(allocate: Allocate): void };

export type StatementValue = string | number | bigint | boolean | null | Buffer | BinaryValue;

/** A statement that is prepared under its name. */
export type NamedStatement = {
  readonly name: string;
  readonly text: string;
  readonly values: readonly StatementValue[];
};

const FIRST_BYTES = 64 * 1024;
const NULL_LENGTH = -1;
const TEXT = 0;
const BINARY = 1;
const CODE = { bind: 0x42, execute: 0x45, sync: 0x53 } as const;
/** The end of the empty name, and four bytes for no limit of rows. */
const UNNAMED_WITHOUT_LIMIT = '\0\0\0\0\0';

const isText = (value: StatementValue): boolean => value === null || typeof value !== 'object';

export class MessageBuffer {
  #bytes: Buffer;
  #length = 0;

  constructor(bytes?: Buffer) {
    this.#bytes = bytes ?? Buffer.allocUnsafeSlow(FIRST_BYTES);
  }

  /** What was written. It is valid until the buffer is written to again. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** The memory, for another buffer. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Binds the values to the prepared statement and executes it. */
  execute({ name, values }: Pick<NamedStatement, 'name' | 'values'>): void {
    const bound = this.#begin(CODE.bind);
    this.#text('\0');
    this.#text(`${name}\0`);
    this.#int16(values.length);
    for (let i = 0; i < values.length; i++) this.#int16(isText(values[i]!) ? TEXT : BINARY);
    this.#int16(values.length);
    for (let i = 0; i < values.length; i++) this.#value(values[i]!);
    this.#int16(0);
    this.#end(bound);
    const executed = this.#begin(CODE.execute);
    this.#text(UNNAMED_WITHOUT_LIMIT);
    this.#end(executed);
  }

  /** Ends the statements that succeed or fail together. */
  sync(): void {
    this.#end(this.#begin(CODE.sync));
  }

  #room(size: number): void {
    const needed = this.#length + size;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  /** Returns the place of the length, which the end of the message fills in. */
  #begin(code: number): number {
    this.#room(5);
    this.#bytes[this.#length] = code;
    this.#length += 5;
    return this.#length - 4;
  }

  #end(start: number): void {
    this.#bytes.writeInt32BE(this.#length - start, start);
  }

  #int16(value: number): void {
    this.#room(2);
    this.#bytes.writeUInt16BE(value, this.#length);
    this.#length += 2;
  }

  #text(text: string, length = Buffer.byteLength(text)): void {
    this.#room(length);
    this.#bytes.write(text, this.#length, 'utf8');
    this.#length += length;
  }

  /** The length of a value, which is in front of it. */
  #lengthOf(length: number): void {
    this.#room(4);
    this.#bytes.writeInt32BE(length, this.#length);
    this.#length += 4;
  }

  readonly #allocate: Allocate = (size) => {
    this.#lengthOf(size);
    this.#room(size);
    const from = this.#length;
    this.#length += size;
    return this.#bytes.subarray(from, this.#length);
  };

  #value(value: StatementValue): void {
    if (value === null) this.#lengthOf(NULL_LENGTH);
    else if (typeof value !== 'object') {
      const text = String(value);
      const length = Buffer.byteLength(text);
      this.#lengthOf(length);
      this.#text(text, length);
    } else if (Buffer.isBuffer(value)) value.copy(this.#allocate(value.length));
    else value.writeTo(this.#allocate);
  }
}
