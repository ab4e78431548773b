// What these routes take and give.
// Printed from contract/src/api/notes.ts by `node tools/print/print-sdk.ts`; do not edit it by hand.

export type Author = {
  /** What the author is: a key, the master key or an operator. */
  type: string;
  /** Id of the key or of the operator. */
  id: string;
  /** Its name at that time. */
  name: string;
};

export type Note = {
  /** Note id. */
  id: string;
  /** The kind of record that the note is about. */
  resourceType: 'order' | 'dispute' | 'user' | 'break' | 'withdrawal' | 'topup';
  /** Its id. A break has none: use its kind and its subject with a colon between them. */
  resourceId: string;
  /** As it was written. */
  text: string;
  author: Author;
  /** When it was written. */
  createdAt: string;
};

export type CreateNoteInput = {
  /** The kind of record that the note is about. */
  resourceType: 'order' | 'dispute' | 'user' | 'break' | 'withdrawal' | 'topup';
  /** Its id. A break has none: use its kind and its subject with a colon between them. */
  resourceId: string;
  /** What is to be remembered. */
  text: string;
};

export type ListNotesQuery = {
  /** Page size. */
  limit?: number;
  /** Id of the last item of the previous page. */
  cursor?: string;
  /** The kind of record that the note is about. */
  resourceType?: 'order' | 'dispute' | 'user' | 'break' | 'withdrawal' | 'topup';
  /** Its id. A break has none: use its kind and its subject with a colon between them. */
  resourceId?: string;
};
