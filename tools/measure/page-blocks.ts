// Printed blocks of a page: each is between two comments with its name, and the text around them is written by hand.

const opening = (name: string): string => `<!-- ${name} -->`;
const closing = (name: string): string => `<!-- /${name} -->`;

/** The page with this text in the block of that name. A block that the page lacks is added at its end. */
export const placeBlock = (page: string, { name, text }: { name: string; text: string }): string => {
  const block = `${opening(name)}\n${text.trim()}\n${closing(name)}`;
  const from = page.indexOf(opening(name));
  const to = page.indexOf(closing(name));
  if (from < 0 && to < 0) return `${page.trimEnd()}\n\n${block}\n`;
  if (from < 0 || to < from) throw new Error(`the page has only one end of the block ${name}`);
  return page.slice(0, from) + block + page.slice(to + closing(name).length);
};
