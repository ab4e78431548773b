// Gives a text or bytes to the browser as a file to download.

type File = { readonly name: string; readonly parts: readonly BlobPart[]; readonly type: string };

export const saveFile = ({ name, parts, type }: File): void => {
  const url = URL.createObjectURL(new Blob([...parts], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};

export const CSV_TYPE = 'text/csv;charset=utf-8';
