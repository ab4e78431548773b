// The syntax tree of a source file, for the tidy tests that judge functions.

import { parseAst } from 'rolldown/parseAst';
import { readText } from './sources.ts';

export type AstNode = { readonly type?: string; readonly start?: number; readonly end?: number } & Record<
  string,
  unknown
>;

/** A node with the node around it and the nearest name: its own, or that of what contains it. */
type Visited = { readonly node: AstNode; readonly parent: AstNode | null; readonly name: string };

const nameIn = (node: AstNode): string | undefined =>
  ((node.id ?? node.key) as { name?: string } | null | undefined)?.name;

/** The nodes of the file of these types, outer ones first. */
export const nodesOf = (file: string, wanted: RegExp): Visited[] => {
  const found: Visited[] = [];
  const visit = ({ node, parent, name: outerName }: Visited): void => {
    const name = nameIn(node) ?? outerName;
    if (node.type !== undefined && wanted.test(node.type)) found.push({ node, parent, name });
    for (const key in node) visitChild(node[key], { parent: node, name });
  };
  const visitChild = (child: unknown, around: Omit<Visited, 'node'>): void => {
    if (typeof child !== 'object' || child === null) return;
    if (!Array.isArray(child)) visit({ node: child as AstNode, parent: around.parent, name: around.name });
    else for (const each of child) visitChild(each, around);
  };
  const lang = file.endsWith('.tsx') ? 'tsx' : 'ts';
  visit({ node: parseAst(readText(file), { lang }) as unknown as AstNode, parent: null, name: '' });
  return found;
};
