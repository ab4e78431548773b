// Fields that many schemas share, each with its limit, its description and an example.

import Type from 'typebox';
import { CURRENCIES } from '../currencies.ts';
import { type IdKind, idPattern } from '../ids.ts';
import { LIMITS } from '../limits.ts';

export const Id = (kind: IdKind, description: string) => Type.String({ pattern: idPattern(kind), description });

export const Text = (max: number, description: string, example?: string) =>
  Type.String({ minLength: 1, maxLength: max, description, ...(example === undefined ? {} : { examples: [example] }) });

/** A name of a person, or a name that a person gave: a log line, a table and a CSV row show it, so it has no line break. */
export const Name = (description: string, example: string, more: { readonly pattern?: string } = {}) =>
  Type.String({
    minLength: 1,
    maxLength: LIMITS.nameLength,
    format: 'one-line',
    ...more,
    description: `${description} One line with at least one visible character, without control characters.`,
    examples: [example],
  });

export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-15T09:30:00.000000Z'] });

/** Marks a decimal string for the types of the SDK: one that the service shows, or one that a caller writes. Not part of the reference. */
export const SHOWN = { decimal: 'shown' } as const;
export const WRITTEN = { decimal: 'written' } as const;

/** The money module checks the form, not a pattern here: a bad amount must be INVALID_AMOUNT where the spec says so. */
export const Amount = Type.String({
  maxLength: LIMITS.amountLength,
  description: 'Positive decimal string with at most two decimal places.',
  ...WRITTEN,
  examples: ['25.00'],
});

export const ShownAmount = (description: string) =>
  Type.String({ description: `${description} Decimal string with two decimal places.`, examples: ['25.00'], ...SHOWN });

export const CurrencyCode = Type.Enum(CURRENCIES, { description: 'Currency code.', examples: ['USD'] });

/** `names`: keys whose texts are names. They are one line, as a `Name`, or empty. */
const freeForm = ({ description = '', names }: { description?: string; names?: readonly string[] }) =>
  Type.Record(Type.String({ maxLength: LIMITS.metadataKeyLength }), Type.Unknown(), {
    maxProperties: LIMITS.metadataKeys,
    description: `Your own data, stored with the record. At most ${LIMITS.metadataKeys} keys and ${LIMITS.metadataBytes} bytes.${description}`,
    ...(names ? { names } : {}),
    examples: [{ plan: 'gold' }],
  });

export const Metadata = freeForm({});

export const UserMetadata = freeForm({
  description:
    ' A text in `displayName` is one line without control characters: documents show it for a user without a name.',
  names: ['displayName'],
});

export const Limit = Type.Integer({
  minimum: 1,
  maximum: LIMITS.pageSizeMax,
  default: LIMITS.pageSizeDefault,
  description: 'Page size.',
});

export const Page = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Text(64, 'Id of the last item of the previous page.')),
} as const;

/** A date without a time means 00:00 UTC of that day. */
export const DateOrTime = (description: string) =>
  Type.String({ format: 'date-or-time', description, examples: ['2026-11-15', '2026-11-15T09:30:00Z'] });

/** A whole day. */
export const Day = (description: string) => Type.String({ format: 'date', description, examples: ['2026-11-15'] });

/** Of an endpoint with `asCsv`. */
export const ReportFormat = Type.Enum(['json', 'csv'] as const, {
  description: 'Takes precedence over the Accept header; `csv` answers the same figures as a table.',
});

export const CreatedBetween = {
  createdAfter: Type.Optional(DateOrTime('Only records created after this date or time.')),
  createdBefore: Type.Optional(DateOrTime('Only records created before this date or time.')),
} as const;

/** An amount that may have more than two decimal places. */
export const Exact = (description: string) =>
  Type.String({
    description: `${description} Decimal string with two decimal places, or more when needed.`,
    examples: ['25.00'],
    ...SHOWN,
  });

/**
 * One way to fill in a body whose fields depend on each other. The checks of the server decide; the SDK prints the ways as a union, so that
 * a wrong combination does not compile.
 */
export type Variant = {
  /** The values that choose this way. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly needs?: readonly string[];
  readonly without?: readonly string[];
};

/** An object that allows no other properties. */
export const Strict = <T extends Type.TProperties>(
  properties: T,
  options: Type.TObjectOptions & { readonly variants?: readonly Variant[] } = {},
) => Type.Object(properties, { additionalProperties: false, ...options });

// A malformed id is answered like an unknown id: 404 and not 400.
export const UserParams = Strict({ userId: Type.String({ maxLength: 64, description: 'User id.' }) });
