// The types of excerpt.js for the server, which makes the same excerpts for readers without a script.

export type Piece = { readonly text: string; readonly isMatch: boolean };
export declare const excerptOf: (text: string, terms: readonly string[]) => Piece[];
