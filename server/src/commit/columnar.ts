// Sets of rows as parameters: one binary array per column. The driver would write the arrays as text and escape every quote of the JSON in
// them, and the server would parse it again: binary arrays are 1.3 times as fast, measured with 64 audit rows.

const HEADER_BYTES = 20;
/** The header of an empty array has no dimensions. */
const EMPTY_BYTES = 12;
const NULL_LENGTH = -1;

const OIDS = { bool: 16, bytea: 17, int8: 20, int4: 23, text: 25, timestamptz: 1184 } as const;

/** PostgreSQL counts microseconds from the year 2000. */
const EPOCH_2000_MICROS = 946_684_800_000_000;

const headerBytes = (values: readonly unknown[]): number => (values.length === 0 ? EMPTY_BYTES : HEADER_BYTES);

const header = (buffer: Buffer, of: { oid: number; length: number; hasNulls: boolean }): void => {
  buffer.writeInt32BE(of.length === 0 ? 0 : 1, 0);
  buffer.writeInt32BE(of.hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(of.oid, 8);
  if (of.length === 0) return;
  buffer.writeInt32BE(of.length, 12);
  buffer.writeInt32BE(1, 16);
};

export const texts = (values: readonly (string | null)[]): Buffer => {
  let size = headerBytes(values);
  let hasNulls = false;
  for (const value of values) {
    if (value === null) hasNulls = true;
    size += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  const buffer = Buffer.allocUnsafe(size);
  header(buffer, { oid: OIDS.text, length: values.length, hasNulls });
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : buffer.write(value, at + 4);
    buffer.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return buffer;
};

export const bytes = (values: readonly Buffer[]): Buffer => {
  const buffer = Buffer.allocUnsafe(values.reduce((size, value) => size + 4 + value.length, headerBytes(values)));
  header(buffer, { oid: OIDS.bytea, length: values.length, hasNulls: false });
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(value.length, at);
    value.copy(buffer, at + 4);
    at += 4 + value.length;
  }
  return buffer;
};

type Fixed<Value> = { oid: number; width: number; put(buffer: Buffer, value: Value, at: number): void };

/** Values of a fixed width, each with its length in front. */
const fixed = <Value>(values: readonly (Value | null)[], type: Fixed<Value>): Buffer => {
  const nulls = values.reduce((count, value) => (value === null ? count + 1 : count), 0);
  const buffer = Buffer.allocUnsafe(headerBytes(values) + values.length * 4 + (values.length - nulls) * type.width);
  header(buffer, { oid: type.oid, length: values.length, hasNulls: nulls > 0 });
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(value === null ? NULL_LENGTH : type.width, at);
    at += 4;
    if (value === null) continue;
    type.put(buffer, value, at);
    at += type.width;
  }
  return buffer;
};

const INT4: Fixed<number> = {
  oid: OIDS.int4,
  width: 4,
  put: (buffer, value, at) => void buffer.writeInt32BE(value, at),
};

const INT8: Fixed<bigint> = {
  oid: OIDS.int8,
  width: 8,
  put: (buffer, value, at) => void buffer.writeBigInt64BE(value, at),
};

const TIMESTAMPTZ: Fixed<number> = {
  oid: OIDS.timestamptz,
  width: 8,
  put: (buffer, micros, at) => void buffer.writeBigInt64BE(BigInt(micros - EPOCH_2000_MICROS), at),
};

const BOOL: Fixed<boolean> = {
  oid: OIDS.bool,
  width: 1,
  put: (buffer, value, at) => void buffer.writeUInt8(value ? 1 : 0, at),
};

export const integers = (values: readonly (number | null)[]): Buffer => fixed(values, INT4);

export const bigints = (values: readonly (bigint | null)[]): Buffer => fixed(values, INT8);

/** Times given as microseconds since 1970. */
export const instants = (values: readonly (number | null)[]): Buffer => fixed(values, TIMESTAMPTZ);

export const booleans = (values: readonly (boolean | null)[]): Buffer => fixed(values, BOOL);

type Values = {
  text: string | null;
  bigint: bigint;
  integer: number | null;
  boolean: boolean;
  bytea: Buffer;
  /** Microseconds since 1970. */
  timestamptz: number;
};

const ENCODERS: { readonly [T in keyof Values]: (values: readonly Values[T][]) => Buffer } = {
  text: texts,
  bigint: bigints,
  integer: integers,
  boolean: booleans,
  bytea: bytes,
  timestamptz: instants,
};

/** A column with its type, and how its value is read from a row. */
export type Column<Row> = {
  readonly [T in keyof Values]: readonly [name: string, type: T, pick: (row: Row) => Values[T]];
}[keyof Values];

export const encodeColumn = <Row>([, type, pick]: Column<Row>, rows: readonly Row[]): Buffer =>
  (ENCODERS[type] as (values: unknown[]) => Buffer)(rows.map(pick as (row: Row) => unknown));
