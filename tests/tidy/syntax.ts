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

/** Every node of the file, outer ones first. */
export const nodesOf = (file: string): Visited[] => {
  const visited: Visited[] = [];
  const visit = (node: AstNode, { parent, outerName }: { parent: AstNode | null; outerName: string }): void => {
    const name = nameIn(node) ?? outerName;
    visited.push({ node, parent, name });
    for (const child of Object.values(node).flat()) {
      if (typeof child === 'object' && child !== null) visit(child as AstNode, { parent: node, outerName: name });
    }
  };
  const lang = file.endsWith('.tsx') ? 'tsx' : 'ts';
  visit(parseAst(readText(file), { lang }) as unknown as AstNode, { parent: null, outerName: '' });
  return visited;
};
