// Text inside HTML, and the ids of headings.

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);

/** The id that repositories give a heading, so that one link works in both places. */
const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** Gives every heading of a page an id of its own. */
export const createIds = () => {
  const taken = new Set<string>();
  const unique = (slug: string, count = 0): string => {
    const id = count === 0 ? slug : `${slug}-${count}`;
    return taken.has(id) ? unique(slug, count + 1) : id;
  };
  return {
    ofHeading(text: string): string {
      const id = unique(slugOf(text) || 'section');
      taken.add(id);
      return id;
    },
    /** Null: another part of the page has this id. */
    take(id: string): string | null {
      if (taken.has(id)) return null;
      taken.add(id);
      return id;
    },
  };
};
