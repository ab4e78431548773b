// Numbered pages.

import { LIMITS } from '@holdfast/contract/limits.ts';

type Asked = { readonly page?: number; readonly limit?: number };

export const pageOf = ({ page = 1, limit = LIMITS.pageSizeDefault }: Asked) => ({
  page,
  limit,
  offset: (page - 1) * limit,
});

export const pagination = ({ page, limit }: { page: number; limit: number }, total: number) => ({
  page,
  limit,
  total,
  pages: Math.ceil(total / limit),
});
