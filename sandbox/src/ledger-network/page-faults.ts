// What can be wrong with a whole page of payments: the server lags behind, repeats, mixes up or leaves out records, or shows another
// asset or destination.

import type { FaultName } from '../faults-table.ts';
import type { presentOperation } from './present.ts';

type Shown = ReturnType<typeof presentOperation> & Record<string, unknown>;

const CHANGES: Partial<Record<FaultName, (records: Shown[]) => Shown[]>> = {
  lagging: (records) => records.slice(0, Math.floor(records.length / 2)),
  missing: (records) => records.slice(1),
  repeated: (records) => records.flatMap((record) => [record, record]),
  unordered: (records) => records.toReversed(),
  'wrong-asset': (records) => records.map(inAnotherAsset),
  'wrong-destination': (records) => records.map((record, at) => to(record, destinationOf(records[at + 1]))),
};

/** The page as the fault shows it. */
export const misshown = (records: Shown[], fault: FaultName | undefined): Shown[] =>
  (fault === undefined ? undefined : CHANGES[fault])?.(records) ?? records;

// The names of the field that says who receives the money, by kind of operation.
const DESTINATIONS = ['to', 'into', 'account'];

const destinationOf = (record: Shown | undefined): unknown =>
  DESTINATIONS.map((name) => record?.[name]).find((address) => address !== undefined);

// Without a next record, the sender has paid itself.
const to = (record: Shown, address: unknown): Shown => {
  const name = DESTINATIONS.find((one) => record[one] !== undefined);
  return name === undefined ? record : { ...record, [name]: address ?? record.source_account };
};

const inAnotherAsset = (record: Shown): Shown => {
  const other = { asset_type: 'credit_alphanum4', asset_code: 'FAKE', asset_issuer: record.source_account };
  return record.asset_type === undefined ? record : { ...record, ...other };
};
