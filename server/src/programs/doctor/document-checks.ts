// The check of the files that statements and receipts use: the logo and the font of the settings. It only reads them.

import type { Config } from '../../config/config.ts';
import { BadBrandFile, readBrand } from '../../documents/brand.ts';
import { failed, fine, type Verdict } from './verdict.ts';

export const checkDocuments = async ({ documents }: Pick<Config, 'documents'>): Promise<Verdict[]> => {
  const result = await readBrand(documents).then(
    () => fine('The logo and the font of documents can be used, or none is set.'),
    (error: unknown) => {
      if (!(error instanceof BadBrandFile)) throw error;
      return failed(error.message, 'Correct the setting, or remove it. The server does not start with this file.');
    },
  );
  return [{ name: 'documents', ...result }];
};
