// How a search asks for texts that begin with what was typed, so that an index with pattern order answers it. The typed
// text is a parameter, written as `?`; its own wildcards mean nothing.

const AS_TYPED = (typed: string): string =>
  `like replace(replace(replace(${typed}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;

export const BEGINS_WITH = AS_TYPED('?::text');

export const BEGINS_WITH_IN_ANY_CASE = AS_TYPED('lower(?::text)');
