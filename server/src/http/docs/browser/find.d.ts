// The types of find.js for the server, which finds the same sections for readers without a script.

import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

export declare const findIn: <Entry>(index: MiniSearch<Entry>, query: string) => SearchResult[];
