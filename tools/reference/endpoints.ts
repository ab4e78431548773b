// Every route of the contract: those of the API and those of Surface B.

import { readdirSync } from 'node:fs';
import type { Endpoint } from '../../contract/src/api/endpoint.ts';
import type { SurfaceBEndpoint } from '../../contract/src/surface-b/endpoint.ts';

const API = new URL('../../contract/src/api/', import.meta.url);
const SURFACE_B = new URL('../../contract/src/surface-b/', import.meta.url);

const isEndpoint = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

const load = async (folder: URL): Promise<unknown[]> =>
  (await Promise.all(readdirSync(folder).map((file) => import(new URL(file, folder).href)))).flatMap((module) =>
    Object.values(module).filter(isEndpoint),
  );

export const ENDPOINTS = (await load(API)) as readonly Endpoint[];
export const SURFACE_B_ENDPOINTS = (await load(SURFACE_B)) as readonly SurfaceBEndpoint[];
