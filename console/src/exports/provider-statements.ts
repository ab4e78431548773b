// The columns of exported provider statements and of their compared lines.

import type { ProviderStatement, ProviderStatementLine } from '@holdfast/sdk';
import type { Exported } from '../parts/lists/export-rows.ts';

export const STATEMENT_EXPORT: Exported<ProviderStatement> = {
  file: 'provider-statements',
  columns: [
    { name: 'Statement', value: ({ id }) => id },
    { name: 'System', value: ({ system }) => system },
    { name: 'File name', value: ({ fileName }) => fileName },
    { name: 'SHA-256', value: ({ sha256 }) => sha256 },
    { name: 'Lines', value: ({ lines }) => lines },
    { name: 'From', time: ({ from }) => from },
    { name: 'To', time: ({ to }) => to },
    { name: 'Author', value: ({ author }) => author.name },
    { name: 'Uploaded', time: ({ createdAt }) => createdAt },
  ],
};

export const STATEMENT_LINE_EXPORT: Exported<ProviderStatementLine> = {
  file: 'provider-statement-lines',
  columns: [
    { name: 'Status', value: ({ status }) => status },
    { name: 'Row', value: ({ row }) => row },
    { name: 'Date', time: ({ date }) => date },
    { name: 'Reference', value: ({ reference }) => reference },
    { name: 'Type', value: ({ type }) => type },
    { name: 'Amount', value: ({ amount }) => amount },
    { name: 'Fee', value: ({ fee }) => fee },
    { name: 'Currency', value: ({ currency }) => currency },
    { name: 'Record', value: ({ record }) => record?.id ?? null },
    { name: 'Record status', value: ({ record }) => record?.status ?? null },
    { name: 'Record amount', value: ({ record }) => record?.amount ?? null },
    { name: 'Difference', value: ({ difference }) => difference },
    { name: 'Reason', value: ({ reason }) => reason },
    { name: 'Suggestion', value: ({ suggestion }) => suggestion?.id ?? null },
    { name: 'Description', value: ({ description }) => description },
  ],
};
