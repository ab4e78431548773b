// Sets of rows as parameters: one binary array per column. The driver would write the arrays as text and escape every quote of the JSON in
// them, and the server would parse it again: binary arrays are 1.3 times as fast, measured with 64 audit rows.

import type { Allocate, BinaryValue } from '../postgres/message-buffer.ts';

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

/** All texts are written by one call of the buffer, with room for their lengths in between: a call for each took twice as long. */
const ROOM = '\0\0\0\0';

export const texts = (values: readonly (string | null)[], allocate: Allocate = Buffer.allocUnsafe): Buffer => {
  // A null is joined as an empty text.
  const all = values.length === 0 ? '' : ROOM + values.join(ROOM);
  const hasNulls = values.includes(null);
  const size = Buffer.byteLength(all);
  const isAscii = size === all.length;
  const start = headerBytes(values);
  const buffer = allocate(start + size);
  header(buffer, { oid: OIDS.text, length: values.length, hasNulls });
  buffer.write(all, start, isAscii ? 'latin1' : 'utf8');
  let at = start;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const length = value === null ? NULL_LENGTH : isAscii ? value.length : Buffer.byteLength(value);
    buffer.writeInt32BE(length, at);
    at += 4 + Math.max(length, 0);
  }
  return buffer;
};

export const bytes = (values: readonly Buffer[], allocate: Allocate = Buffer.allocUnsafe): Buffer => {
  const buffer = allocate(values.reduce((size, value) => size + 4 + value.length, headerBytes(values)));
  header(buffer, { oid: OIDS.bytea, length: values.length, hasNulls: false });
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(value.length, at);
    value.copy(buffer, at + 4);
    at += 4 + value.length;
  }
  return buffer;
};

type Fixed<Value> = {
  readonly oid: number;
  readonly width: number;
  put(view: DataView, value: Value, at: number): void;
};

type Encode<Value> = (values: readonly Value[], allocate?: Allocate) => Buffer;

/** Values of a fixed width, each with its length in front. */
const fixed =
  <Value>(type: Fixed<Value>): Encode<Value | null> =>
  (values, allocate = Buffer.allocUnsafe) => {
    let nulls = 0;
    for (let i = 0; i < values.length; i++) if (values[i] === null) nulls++;
    const buffer = allocate(headerBytes(values) + values.length * 4 + (values.length - nulls) * type.width);
    header(buffer, { oid: type.oid, length: values.length, hasNulls: nulls > 0 });
    // A view writes a bigint without the smaller ones that the functions of a buffer make of it.
    const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
    let at = HEADER_BYTES;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      view.setInt32(at, value === null ? NULL_LENGTH : type.width);
      at += 4;
      if (value === null) continue;
      type.put(view, value, at);
      at += type.width;
    }
    return buffer;
  };

/** A view would cut off what does not fit. */
const fitting = <Value>(value: Value, fits: boolean): Value => {
  if (!fits) throw new RangeError(`${value} does not fit its column`);
  return value;
};

const INT8_LIMIT = 2n ** 63n;

const INT4: Fixed<number> = {
  oid: OIDS.int4,
  width: 4,
  put: (view, value, at) => view.setInt32(at, fitting(value, (value | 0) === value)),
};

const INT8: Fixed<bigint> = {
  oid: OIDS.int8,
  width: 8,
  put: (view, value, at) => view.setBigInt64(at, fitting(value, value < INT8_LIMIT && value >= -INT8_LIMIT)),
};

const TIMESTAMPTZ: Fixed<number> = {
  oid: OIDS.timestamptz,
  width: 8,
  put: (view, micros, at) => {
    const since2000 = fitting(micros - EPOCH_2000_MICROS, Number.isSafeInteger(micros));
    const high = Math.floor(since2000 / 2 ** 32);
    view.setInt32(at, high);
    view.setUint32(at + 4, since2000 - high * 2 ** 32);
  },
};

const BOOL: Fixed<boolean> = {
  oid: OIDS.bool,
  width: 1,
  put: (view, value, at) => view.setUint8(at, value ? 1 : 0),
};

export const integers = fixed(INT4);

export const bigints = fixed(INT8);

/** Times given as microseconds since 1970. */
export const instants = fixed(TIMESTAMPTZ);

export const booleans = fixed(BOOL);

type Values = {
  text: string | null;
  bigint: bigint;
  integer: number | null;
  boolean: boolean;
  bytea: Buffer;
  /** Microseconds since 1970. */
  timestamptz: number;
};

const ENCODERS: { readonly [T in keyof Values]: Encode<Values[T]> } = {
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

/** The values of a column, read from the rows when they are written into a message. */
export const columnOf = <Row>([, type, pick]: Column<Row>, rows: readonly Row[]): BinaryValue => ({
  writeTo(allocate) {
    (ENCODERS[type] as Encode<unknown>)(rows.map(pick as (row: Row) => unknown), allocate);
  },
});
