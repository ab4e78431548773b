// Statements of the outside systems: upload them, and compare them with our records.

import { base64Of } from '../bytes.ts';
import { type List, listing } from '../pages.ts';
import type { MaybePreview } from '../previews.ts';
import type {
  AddProviderStatementInput,
  ExportProviderStatementQuery,
  ListProviderStatementLinesQuery,
  ListProviderStatementsQuery,
  ProviderStatement,
  ProviderStatementLine,
  ProviderStatementReport,
} from '../printed/provider-statements.ts';
import { ROUTES } from '../printed/routes.ts';
import type { CallOptions, Transport } from '../transport.ts';

/** The CSV file as bytes, or as base64. */
export type ProviderStatementFile = Omit<AddProviderStatementInput, 'content'> & { content: Uint8Array | string };

export const providerStatementResource = (transport: Transport) => ({
  /** Uploads a CSV file. The same file, read in the same way, is stored once. Fails with VALIDATION_ERROR, which names the wrong rows. */
  upload: <O extends CallOptions>(
    file: ProviderStatementFile,
    options?: O,
  ): Promise<MaybePreview<ProviderStatement, O>> => {
    const content = typeof file.content === 'string' ? file.content : base64Of(file.content);
    return transport.change<ProviderStatement, O>(ROUTES.addProviderStatement, { body: { ...file, content } }, options);
  },

  /** Newest first, without the comparison. */
  list: (query: ListProviderStatementsQuery = {}, options?: CallOptions): List<ProviderStatement> =>
    listing(transport, ROUTES.listProviderStatements, { query, options }),

  /** Compares the statement with the records as they are now: counts and sums by status. */
  get: (id: string, options?: CallOptions): Promise<ProviderStatementReport> =>
    transport.call(ROUTES.getProviderStatement, { params: { id } }, options),

  /** The compared lines: those of the file, then the records that the file does not have. */
  lines: (
    id: string,
    query: ListProviderStatementLinesQuery = {},
    options?: CallOptions,
  ): List<ProviderStatementLine> =>
    listing(transport, ROUTES.listProviderStatementLines, { params: { id }, query, options }),

  /** All compared lines as one file, CSV unless the query says otherwise. */
  download: (id: string, query: ExportProviderStatementQuery = {}, options?: CallOptions): Promise<Uint8Array> =>
    transport.call(ROUTES.exportProviderStatement, { params: { id }, query, accept: '*/*', bytes: true }, options),
});
